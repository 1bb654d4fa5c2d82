#include "core/queue/nominator.h"

#include <map>
#include <utility>

#include "core/api/object_key.h"

namespace stowage {

void Nominator::CopyStateFrom(const Nominator& other) {
  by_node_ = other.by_node_;
  node_by_uid_ = other.node_by_uid_;
  nominated_nodes_ = other.nominated_nodes_;
  changes_.Break();
}
namespace {

PodInfoRef BarePodInfo(const Pod& pod) {
  auto bare = std::make_shared<Pod>();
  bare->metadata.namespace_ = pod.metadata.namespace_;
  bare->metadata.name = pod.metadata.name;
  bare->metadata.uid = pod.metadata.uid;
  PodInfo info;
  info.pod = std::move(bare);
  return std::make_shared<const PodInfo>(std::move(info));
}

}  // namespace

const std::vector<PodInfoRef>& Nominator::NominatedPodsForNode(const Symbol& node) const {
  static const std::vector<PodInfoRef> kNone;
  auto found = by_node_.find(node);
  return found == by_node_.end() ? kNone : found->second.pods;
}

void Nominator::AddNominatedPod(const PodInfoRef& pod, const std::optional<Symbol>& node_override) {
  DeleteNominatedPod(pod->uid());
  const Symbol& node = node_override ? *node_override : pod->pod->status.nominated_node_name;
  if (node.empty()) return;
  const ObjectMeta& metadata = pod->pod->metadata;
  PodRef listed = listers_.GetPod(metadata.namespace_, metadata.name);
  if (listed == nullptr || !listed->spec.node_name.empty()) return;
  NominatedNode& nominated = by_node_[node];
  if (nominated.pods.empty()) {
    nominated.place = nominated_nodes_.size();
    nominated_nodes_.push_back(node);
  }
  nominated.pods.push_back(pod);
  changes_.Append(node);
  node_by_uid_[pod->uid()] = node;
}

void Nominator::UpdateNominatedPod(const Pod& old_pod, const PodInfoRef& new_pod) {
  std::optional<Symbol> kept;
  bool is_unmentioned = old_pod.status.nominated_node_name.empty() &&
                        new_pod->pod->status.nominated_node_name.empty();
  if (is_unmentioned) {
    Symbol node = NodeOf(old_pod.metadata.uid);
    if (!node.empty()) kept = node;
  }
  DeleteNominatedPod(old_pod.metadata.uid);
  AddNominatedPod(new_pod, kept);
}

void Nominator::DeleteNominatedPod(const Symbol& uid) {
  auto found = node_by_uid_.find(uid);
  if (found == node_by_uid_.end()) return;
  changes_.Append(found->second);
  auto node = by_node_.find(found->second);
  std::vector<PodInfoRef>& pods = by_node_.Mutable(node).pods;
  std::erase_if(pods, [&uid](const PodInfoRef& pod) { return pod->uid() == uid; });
  if (pods.empty()) RemoveNode(node);
  node_by_uid_.erase(found);
}

// The last node of the list takes its place.
void Nominator::RemoveNode(NominatedByName::const_iterator node) {
  size_t place = node->second.place;
  by_node_[nominated_nodes_.back()].place = place;
  std::swap(nominated_nodes_[place], nominated_nodes_.back());
  nominated_nodes_.pop_back();
  by_node_.erase(node);
}

void Nominator::ForgetPodInfo(const Pod& pod) {
  auto found = node_by_uid_.find(pod.metadata.uid);
  if (found == node_by_uid_.end()) return;
  changes_.Append(found->second);
  for (PodInfoRef& nominated : by_node_[found->second].pods) {
    if (nominated->uid() == pod.metadata.uid) nominated = BarePodInfo(pod);
  }
}

Symbol Nominator::NodeOf(const Symbol& uid) const {
  auto found = node_by_uid_.find(uid);
  return found == node_by_uid_.end() ? Symbol() : found->second;
}

std::vector<std::pair<PodInfoRef, Symbol>> Nominator::Nominations() const {
  std::map<std::pair<ObjectKey, Symbol>, std::pair<PodInfoRef, Symbol>> sorted;  // uids break ties
  for (const Symbol& node : nominated_nodes_) {
    for (const PodInfoRef& pod : NominatedPodsForNode(node)) {
      sorted.try_emplace({ObjectKey::Of(pod->pod->metadata), pod->uid()}, pod, node);
    }
  }
  std::vector<std::pair<PodInfoRef, Symbol>> nominations;
  for (auto& [key, nomination] : sorted) nominations.push_back(std::move(nomination));
  return nominations;
}

}  // namespace stowage
