#include "core/table/node_info.h"

#include <algorithm>

#include "core/base/check.h"

namespace stowage {
namespace {

bool EraseByUid(std::vector<PodInfoRef>& pods, const Symbol& uid, PodInfoRef* erased) {
  for (PodInfoRef& pod : pods) {
    if (pod->uid() != uid) continue;
    *erased = pod;
    pod = std::move(pods.back());
    pods.pop_back();
    return true;
  }
  return false;
}

// The last pod moves into the gap, as in EraseByUid. The search starts at the end because a
// replaced pod is usually a recent one.
void Replace(std::vector<PodInfoRef>& pods, const PodInfo& old_pod, const PodInfoRef& new_pod) {
  for (size_t index = pods.size(); index-- > 0;) {
    if (pods[index].get() != &old_pod) continue;
    pods[index].swap(pods.back());
    pods.back() = new_pod;
    return;
  }
  CHECK(false);
}

std::vector<Symbol> KnownDeclaredFeatures(const std::vector<Symbol>& declared) {
  std::vector<Symbol> known;
  for (const Symbol& feature : KnownNodeFeatures()) {
    bool is_declared = std::find(declared.begin(), declared.end(), feature) != declared.end();
    if (is_declared) known.push_back(feature);
  }
  return known;
}

}  // namespace

const std::vector<Symbol>& KnownNodeFeatures() {
  static const auto* features = new std::vector<Symbol>{
      Symbol("ExtendWebSocketsToKubelet"),
      Symbol("InPlacePodLevelResourcesVerticalScaling"),
      Symbol("InPlacePodVerticalScalingInitContainers"),
      Symbol("RestartAllContainersOnContainerExits"),
      Symbol("UserNamespacesHostNetworkSupport"),
  };
  return *features;
}

const ImageStateSummary* NodeInfo::FindImage(const Symbol& name) const {
  auto place =
      std::lower_bound(image_states_.begin(), image_states_.end(), name,
                       [](const auto& entry, const Symbol& other) { return entry.first < other; });
  if (place == image_states_.end() || place->first != name) return nullptr;
  return &place->second;
}

void NodeInfo::SetNode(NodeRef node) {
  CHECK(node != nullptr);
  CHECK(node->metadata.name == name_);
  node_ = std::move(node);
  allocatable_ = Resource();
  allocatable_.Add(node_->status.allocatable);
  declared_features_ = KnownDeclaredFeatures(node_->status.declared_features);
}

void NodeInfo::RemoveNode() { node_ = nullptr; }

void NodeInfo::AddPod(const PodInfoRef& pod) {
  pods_.push_back(pod);
  if (pod->has_affinity()) pods_with_affinity_.push_back(pod);
  if (pod->has_required_anti_affinity()) pods_with_required_anti_affinity_.push_back(pod);
  if (pod->has_attachable_volumes()) pods_with_attachable_volumes_.push_back(pod);
  requested_.Add(pod->requests);
  non_zero_milli_cpu_ += pod->non_zero_milli_cpu;
  non_zero_memory_ += pod->non_zero_memory;
  for (const HostPort& port : pod->host_ports) used_ports_.Add(port);
}

bool NodeInfo::RemovePod(const Symbol& uid) {
  PodInfoRef removed;
  EraseByUid(pods_with_affinity_, uid, &removed);
  EraseByUid(pods_with_required_anti_affinity_, uid, &removed);
  EraseByUid(pods_with_attachable_volumes_, uid, &removed);
  if (!EraseByUid(pods_, uid, &removed)) return false;
  requested_.Subtract(removed->requests);
  non_zero_milli_cpu_ -= removed->non_zero_milli_cpu;
  non_zero_memory_ -= removed->non_zero_memory;
  for (const HostPort& port : removed->host_ports) used_ports_.Remove(port);
  return true;
}

bool NodeInfo::HasPortsOf(const PodInfo& pod) const {
  return std::all_of(pod.host_ports.begin(), pod.host_ports.end(),
                     [this](const HostPort& port) { return used_ports_.Has(port); });
}

// Requests stay as they are, because the two pods' are equal. Ports are removed and added: one that
// another pod's removal had freed is in use again.
void NodeInfo::ReplacePod(const PodInfo& old_pod, const PodInfoRef& new_pod) {
  if (old_pod.has_affinity()) Replace(pods_with_affinity_, old_pod, new_pod);
  if (old_pod.has_required_anti_affinity()) {
    Replace(pods_with_required_anti_affinity_, old_pod, new_pod);
  }
  if (old_pod.has_attachable_volumes()) Replace(pods_with_attachable_volumes_, old_pod, new_pod);
  for (const HostPort& port : old_pod.host_ports) used_ports_.Remove(port);
  for (const HostPort& port : new_pod->host_ports) used_ports_.Add(port);
  Replace(pods_, old_pod, new_pod);
}

}  // namespace stowage
