#include "core/extender/http_extender.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/api/decode/extender_schema.h"
#include "core/api/decode/source.h"
#include "core/api/encode/json_writer.h"
#include "core/base/format.h"

namespace stowage {
namespace {

constexpr int32_t kStatusOk = 200;
constexpr std::string_view kTimeoutText =
    "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";

bool Names(const ResourceList& list, const std::vector<ExtenderManagedResource>& resources) {
  return std::any_of(resources.begin(), resources.end(), [&](const ExtenderManagedResource& one) {
    return list.Find(one.name) != nullptr;
  });
}

std::unordered_map<Symbol, const NodeInfo*, SymbolHash> ByName(NodeList nodes) {
  std::unordered_map<Symbol, const NodeInfo*, SymbolHash> by_name;
  for (const NodeInfo* node : nodes) by_name.emplace(node->name(), node);
  return by_name;
}

void WriteVictims(const PreemptionVictims& victims, bool has_uids_only, JsonWriter* json) {
  json->Key(victims.node.view()).BeginObject().Key("Pods").BeginArray();
  for (const PodInfoRef& pod : victims.pods) {
    if (has_uids_only) {
      json->BeginObject().StringMember("UID", pod->uid().view()).EndObject();
    } else {
      json->Raw(PodJson(*pod->pod));
    }
  }
  json->EndArray().IntMember("NumPDBViolations", victims.num_pdb_violations).EndObject();
}

}  // namespace

bool HttpExtender::IsInterested(const Pod& pod) const {
  const auto& resources = config_.managed_resources;
  if (resources.empty()) return true;
  auto has_managed = [&resources](const Container& container) {
    return Names(container.resources.requests, resources) ||
           Names(container.resources.limits, resources);
  };
  const PodSpec& spec = pod.spec;
  return std::any_of(spec.containers.begin(), spec.containers.end(), has_managed) ||
         std::any_of(spec.init_containers.begin(), spec.init_containers.end(), has_managed);
}

std::string HttpExtender::UrlOf(std::string_view verb) const {
  std::string_view prefix = config_.url_prefix;
  while (!prefix.empty() && prefix.back() == '/') prefix.remove_suffix(1);
  return Format("{}/{}", prefix, verb);
}

Call HttpExtender::CallOf(const Pod& pod, std::string_view verb, std::string_view configured_verb,
                          std::string body) const {
  Call call;
  call.kind = "extender";
  call.pod = Format("{}/{}", pod.metadata.namespace_.view(), pod.metadata.name.view());
  call.target = config_.url_prefix;
  call.verb = verb;
  call.method = "POST";
  call.url = UrlOf(configured_verb);
  call.body = std::move(body);
  call.timeout_us = config_.http_timeout.nanos / 1000;
  return call;
}

// DIVERGENCE(extender-objects): objects are sent with their original text; upstream writes every
// field of its Go structs, including empty ones.
std::string HttpExtender::ExtenderArgs(const Pod& pod, NodeList nodes) const {
  std::string body;
  JsonWriter json(&body);
  json.BeginObject().Key("Pod").Raw(PodJson(pod)).Key("Nodes");
  if (config_.node_cache_capable) {
    json.Null().Key("NodeNames").BeginArray();
    for (const NodeInfo* node : nodes) json.String(node->name().view());
    json.EndArray();
  } else {
    json.BeginObject().Key("metadata").BeginObject().EndObject().Key("items").BeginArray();
    for (const NodeInfo* node : nodes) json.Raw(NodeJson(*node->node()));
    json.EndArray().EndObject().Key("NodeNames").Null();
  }
  json.EndObject();
  return body;
}

std::optional<Status> HttpExtender::FaultOf(const Completion& answer, std::string_view verb) const {
  std::string url = UrlOf(verb);
  if (answer.fault == CallFault::kTimeout) {
    return Status::Error(Format("Post \"{}\": {}", url, kTimeoutText));
  }
  if (answer.fault != CallFault::kNone) {
    return Status::Error(Format("Post \"{}\": {}", url, answer.message));
  }
  if (answer.status == kStatusOk) return std::nullopt;
  return Status::Error(
      Format("failed {} with extender at URL {}, code {}", verb, url, answer.status));
}

Call HttpExtender::FilterCall(const Pod& pod, NodeList nodes) const {
  return CallOf(pod, "filter", config_.filter_verb, ExtenderArgs(pod, nodes));
}

Result<ExtenderVerdict, Status> HttpExtender::FilterVerdict(const Completion& answer,
                                                            NodeList nodes) const {
  if (std::optional<Status> fault = FaultOf(answer, config_.filter_verb)) return *fault;
  Result<ExtenderFilterResult, std::string> result = DecodeExtenderFilterResult(answer.body);
  if (!result.ok()) return Status::Error(result.fault());
  if (!result->error.empty()) return Status::Error(result->error);
  Result<ExtenderVerdict, Status> verdict = SurvivorsOf(*result, nodes);
  if (!verdict.ok()) return verdict;
  verdict->failed_nodes = std::move(result->failed_nodes);
  verdict->failed_and_unresolvable_nodes = std::move(result->failed_and_unresolvable_nodes);
  return verdict;
}

Result<ExtenderVerdict, Status> HttpExtender::SurvivorsOf(const ExtenderFilterResult& result,
                                                          NodeList nodes) const {
  if (config_.node_cache_capable && result.node_names) return TakeNames(*result.node_names, nodes);
  if (result.nodes) return TakeObjects(*result.nodes, nodes);
  return ExtenderVerdict();
}

Result<ExtenderVerdict, Status> HttpExtender::TakeNames(const std::vector<Symbol>& names,
                                                        NodeList nodes) const {
  auto by_name = ByName(nodes);
  ExtenderVerdict verdict;
  for (const Symbol& name : names) {
    auto found = by_name.find(name);
    if (found == by_name.end()) {
      return Status::Error(Format(
          "extender \"{}\" claims a filtered node \"{}\" which is not found in the input node list",
          config_.url_prefix, name.view()));
    }
    verdict.nodes.push_back(found->second);
  }
  return verdict;
}

// DIVERGENCE(extender-unknown-node): upstream would accept a node object that it did not send.
Result<ExtenderVerdict, Status> HttpExtender::TakeObjects(const std::vector<NodeRef>& objects,
                                                          NodeList nodes) const {
  std::vector<Symbol> names;
  for (const NodeRef& object : objects) names.push_back(object->metadata.name);
  Result<ExtenderVerdict, Status> verdict = TakeNames(names, nodes);
  if (!verdict.ok() || !quirks_.nodes_without_pods) return verdict;
  for (size_t index = 0; index < objects.size(); ++index) {
    auto bare = std::make_shared<NodeInfo>(objects[index]->metadata.name);
    bare->SetNode(objects[index]);
    bare->set_row(verdict->nodes[index]->row());
    verdict->nodes[index] = bare.get();
    verdict->made.push_back(std::move(bare));
  }
  return verdict;
}

Call HttpExtender::PrioritizeCall(const Pod& pod, NodeList nodes) const {
  return CallOf(pod, "prioritize", config_.prioritize_verb, ExtenderArgs(pod, nodes));
}

Result<std::vector<HostPriority>, Status> HttpExtender::Priorities(const Completion& answer) const {
  if (std::optional<Status> fault = FaultOf(answer, config_.prioritize_verb)) return *fault;
  Result<std::vector<HostPriority>, std::string> list = DecodeHostPriorityList(answer.body);
  if (!list.ok()) return Status::Error(list.fault());
  return list.Take();
}

Call HttpExtender::PreemptCall(const Pod& pod,
                               const std::vector<const PreemptionVictims*>& candidates) const {
  std::string body;
  JsonWriter json(&body);
  json.BeginObject().Key("Pod").Raw(PodJson(pod));
  bool has_uids_only = config_.node_cache_capable;
  auto write_map = [&](std::string_view name, bool is_used) {
    json.Key(name);
    if (!is_used) {
      json.Null();
      return;
    }
    json.BeginObject();
    for (const PreemptionVictims* victims : candidates) {
      WriteVictims(*victims, has_uids_only, &json);
    }
    json.EndObject();
  };
  write_map("NodeNameToVictims", !has_uids_only);
  write_map("NodeNameToMetaVictims", has_uids_only);
  json.EndObject();
  return CallOf(pod, "preempt", config_.preempt_verb, std::move(body));
}

Result<std::vector<PreemptionVictims>, Status> HttpExtender::Candidates(
    const Completion& answer, const Snapshot& snapshot) const {
  if (std::optional<Status> fault = FaultOf(answer, config_.preempt_verb)) return *fault;
  Result<NodeNameToMetaVictims, std::string> result = DecodeExtenderPreemptionResult(answer.body);
  if (!result.ok()) return Status::Error(result.fault());
  std::vector<PreemptionVictims> candidates;
  for (const auto& [name, meta] : *result) {
    const NodeInfo* node = snapshot.Get(Symbol::Find(name));
    if (node == nullptr) {
      return Status::Error(Format("nodeinfo not found for node name \"{}\"", name));
    }
    PreemptionVictims victims{node->name(), {}, meta.num_pdb_violations};
    for (const Symbol& uid : meta.pod_uids) {
      auto found = std::find_if(node->pods().begin(), node->pods().end(),
                                [&uid](const PodInfoRef& pod) { return pod->uid() == uid; });
      if (found == node->pods().end()) {
        return Status::Error(Format(
            "extender: {} claims to preempt pod (UID: {}) on node: {}, but the pod is not found on "
            "that node",
            config_.url_prefix, uid.view(), name));
      }
      victims.pods.push_back(*found);
    }
    candidates.push_back(std::move(victims));
  }
  return candidates;
}

Call HttpExtender::BindCall(const Pod& pod, const Symbol& node) const {
  std::string body;
  JsonWriter json(&body);
  json.BeginObject().StringMember("PodName", pod.metadata.name.view());
  json.StringMember("PodNamespace", pod.metadata.namespace_.view());
  json.StringMember("PodUID", pod.metadata.uid.view());
  json.StringMember("Node", node.view()).EndObject();
  return CallOf(pod, "bind", config_.bind_verb, std::move(body));
}

Status HttpExtender::BindStatus(const Completion& answer) const {
  if (std::optional<Status> fault = FaultOf(answer, config_.bind_verb)) return *fault;
  Result<ExtenderBindingResult, std::string> result = DecodeExtenderBindingResult(answer.body);
  if (!result.ok()) return Status::Error(result.fault());
  return result->error.empty() ? Status::Success() : Status::Error(result->error);
}

Extenders NewExtenders(const std::vector<ExtenderConfig>& configs, ExtenderQuirks quirks) {
  Extenders extenders;
  for (bool is_ignorable : {false, true}) {
    for (const ExtenderConfig& config : configs) {
      if (config.ignorable != is_ignorable) continue;
      extenders.push_back(std::make_unique<HttpExtender>(config, quirks));
    }
  }
  return extenders;
}

}  // namespace stowage
