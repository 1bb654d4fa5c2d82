#include "core/table/node_info.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/cold.h"

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

STOWAGE_COLD const std::vector<Symbol>& KnownNodeFeatures() {
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
  const ImageStates& states = image_states();
  auto place =
      std::lower_bound(states.begin(), states.end(), name,
                       [](const auto& entry, const Symbol& other) { return entry.first < other; });
  if (place == states.end() || place->first != name) return nullptr;
  return &place->second;
}

STOWAGE_COLD void NodeInfo::SetNode(NodeRef node) {
  CHECK(node != nullptr);
  CHECK(node->metadata.name == name());
  Content& content = content_.Mutable();
  content.allocatable = Resource();
  content.allocatable.Add(node->status.allocatable);
  content.declared_features = KnownDeclaredFeatures(node->status.declared_features);
  content.node = std::move(node);
}

STOWAGE_COLD void NodeInfo::RemoveNode() { content_.Mutable().node = nullptr; }

void NodeInfo::AddPod(const PodInfoRef& pod) {
  Content& content = content_.Mutable();
  content.pods.push_back(pod);
  if (pod->has_affinity()) content.pods_with_affinity.push_back(pod);
  if (pod->has_required_anti_affinity()) content.pods_with_required_anti_affinity.push_back(pod);
  if (pod->has_attachable_volumes()) content.pods_with_attachable_volumes.push_back(pod);
  content.requested.Add(pod->requests);
  content.non_zero_milli_cpu += pod->non_zero_milli_cpu;
  content.non_zero_memory += pod->non_zero_memory;
  for (const HostPort& port : pod->host_ports) content.used_ports.Add(port);
}

bool NodeInfo::RemovePod(const Symbol& uid) {
  Content& content = content_.Mutable();
  PodInfoRef removed;
  EraseByUid(content.pods_with_affinity, uid, &removed);
  EraseByUid(content.pods_with_required_anti_affinity, uid, &removed);
  EraseByUid(content.pods_with_attachable_volumes, uid, &removed);
  if (!EraseByUid(content.pods, uid, &removed)) return false;
  content.requested.Subtract(removed->requests);
  content.non_zero_milli_cpu -= removed->non_zero_milli_cpu;
  content.non_zero_memory -= removed->non_zero_memory;
  for (const HostPort& port : removed->host_ports) content.used_ports.Remove(port);
  return true;
}

bool NodeInfo::HasPortsOf(const PodInfo& pod) const {
  return std::all_of(pod.host_ports.begin(), pod.host_ports.end(),
                     [this](const HostPort& port) { return used_ports().Has(port); });
}

// Requests stay as they are, because the two pods' are equal. Ports are removed and added: one that
// another pod's removal had freed is in use again.
void NodeInfo::ReplacePod(const PodInfo& old_pod, const PodInfoRef& new_pod) {
  Content& content = content_.Mutable();
  if (old_pod.has_affinity()) Replace(content.pods_with_affinity, old_pod, new_pod);
  if (old_pod.has_required_anti_affinity()) {
    Replace(content.pods_with_required_anti_affinity, old_pod, new_pod);
  }
  if (old_pod.has_attachable_volumes()) {
    Replace(content.pods_with_attachable_volumes, old_pod, new_pod);
  }
  for (const HostPort& port : old_pod.host_ports) content.used_ports.Remove(port);
  for (const HostPort& port : new_pod->host_ports) content.used_ports.Add(port);
  Replace(content.pods, old_pod, new_pod);
}

}  // namespace stowage
