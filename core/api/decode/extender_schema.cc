#include "core/api/decode/extender_schema.h"

#include <memory>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/base/format.h"

namespace stowage {

// The answers as parsed from JSON.
struct NodeListDocument {
  std::vector<RawJson> items;
};

struct FilterResultDocument {
  std::optional<NodeListDocument> nodes;
  std::optional<std::vector<Symbol>> node_names;
  LabelMap failed_nodes;
  LabelMap failed_and_unresolvable_nodes;
  std::string error;
};

struct MetaPodDocument {
  Symbol uid;
};

struct MetaVictimsDocument {
  std::vector<MetaPodDocument> pods;
  int64_t num_pdb_violations = 0;
};

struct PreemptionResultDocument {
  std::vector<std::pair<std::string, MetaVictimsDocument>> victims;
};

template <>
struct Schema<NodeListDocument> {
  static constexpr auto kFields = Fields(Field<&NodeListDocument::items>("items"));
};

template <>
struct Schema<FilterResultDocument> {
  static constexpr auto kFields = Fields(
      Field<&FilterResultDocument::nodes>("Nodes"),
      Field<&FilterResultDocument::node_names>("NodeNames"),
      Field<&FilterResultDocument::failed_nodes>("FailedNodes"),
      Field<&FilterResultDocument::failed_and_unresolvable_nodes>("FailedAndUnresolvableNodes"),
      Field<&FilterResultDocument::error>("Error"));
};

template <>
struct Schema<ExtenderBindingResult> {
  static constexpr auto kFields = Fields(Field<&ExtenderBindingResult::error>("Error"));
};

template <>
struct Schema<HostPriority> {
  static constexpr auto kFields =
      Fields(Field<&HostPriority::host>("Host"), Field<&HostPriority::score>("Score"));
};

template <>
struct Schema<MetaPodDocument> {
  static constexpr auto kFields = Fields(Field<&MetaPodDocument::uid>("UID"));
};

template <>
struct Schema<MetaVictimsDocument> {
  static constexpr auto kFields =
      Fields(Field<&MetaVictimsDocument::pods>("Pods"),
             Field<&MetaVictimsDocument::num_pdb_violations>("NumPDBViolations"));
};

template <>
struct Schema<PreemptionResultDocument> {
  static constexpr auto kFields =
      Fields(Field<&PreemptionResultDocument::victims>("NodeNameToMetaVictims"));
};

namespace {

constexpr DecodeOptions kAnswerOptions{.is_case_insensitive = true};

// Empty if there is no error.
std::string FaultOf(const DecodeReport& report) {
  if (report.syntax_error) return report.syntax_error->message;
  return report.field_errors.empty() ? std::string() : report.field_errors.front().message;
}

Result<NodeRef, std::string> DecodeNode(const RawJson& json, size_t index) {
  auto node = std::make_shared<Node>();
  std::string fault = FaultOf(DecodeJson(json.text, {}, NodeType(), node.get()));
  if (!fault.empty()) return Format("Nodes.items[{}].{}", index, fault);
  node->metadata.source = std::make_shared<const std::string>(json.text);
  return NodeRef(std::move(node));
}

}  // namespace

Result<ExtenderFilterResult, std::string> DecodeExtenderFilterResult(std::string_view json) {
  FilterResultDocument document;
  std::string fault = FaultOf(DecodeJson(json, kAnswerOptions, &document));
  if (!fault.empty()) return fault;
  ExtenderFilterResult result;
  result.node_names = std::move(document.node_names);
  result.failed_nodes = std::move(document.failed_nodes);
  result.failed_and_unresolvable_nodes = std::move(document.failed_and_unresolvable_nodes);
  result.error = std::move(document.error);
  if (!document.nodes) return result;
  result.nodes.emplace();
  for (const RawJson& item : document.nodes->items) {
    Result<NodeRef, std::string> node = DecodeNode(item, result.nodes->size());
    if (!node.ok()) return node.fault();
    result.nodes->push_back(node.Take());
  }
  return result;
}

Result<std::vector<HostPriority>, std::string> DecodeHostPriorityList(std::string_view json) {
  std::vector<HostPriority> list;
  std::string fault = FaultOf(DecodeJson(json, kAnswerOptions, &list));
  if (!fault.empty()) return fault;
  return list;
}

Result<ExtenderBindingResult, std::string> DecodeExtenderBindingResult(std::string_view json) {
  ExtenderBindingResult result;
  std::string fault = FaultOf(DecodeJson(json, kAnswerOptions, &result));
  if (!fault.empty()) return fault;
  return result;
}

Result<NodeNameToMetaVictims, std::string> DecodeExtenderPreemptionResult(std::string_view json) {
  PreemptionResultDocument document;
  std::string fault = FaultOf(DecodeJson(json, kAnswerOptions, &document));
  if (!fault.empty()) return fault;
  NodeNameToMetaVictims victims;
  for (auto& [node, entry] : document.victims) {
    MetaVictims meta;
    meta.num_pdb_violations = entry.num_pdb_violations;
    for (MetaPodDocument& pod : entry.pods) meta.pod_uids.push_back(std::move(pod.uid));
    victims.emplace_back(node, std::move(meta));
  }
  return victims;
}

}  // namespace stowage
