#include "core/queue/nominator.h"

#include <algorithm>

namespace stowage {

const std::vector<PodInfoRef>& Nominator::NominatedPodsForNode(const Symbol& node) const {
  static const std::vector<PodInfoRef> kNone;
  auto found = pods_by_node_.find(node);
  return found == pods_by_node_.end() ? kNone : found->second;
}

void Nominator::AddNominatedPod(const PodInfoRef& pod, const Symbol& node) {
  DeleteNominatedPod(pod->uid());
  if (node.empty()) return;
  pods_by_node_[node].push_back(pod);
  node_by_uid_[pod->uid()] = node;
}

void Nominator::DeleteNominatedPod(const Symbol& uid) {
  auto found = node_by_uid_.find(uid);
  if (found == node_by_uid_.end()) return;
  std::vector<PodInfoRef>& pods = pods_by_node_[found->second];
  std::erase_if(pods, [&uid](const PodInfoRef& pod) { return pod->uid() == uid; });
  if (pods.empty()) pods_by_node_.erase(found->second);
  node_by_uid_.erase(found);
}

Symbol Nominator::NodeOf(const Symbol& uid) const {
  auto found = node_by_uid_.find(uid);
  return found == node_by_uid_.end() ? Symbol() : found->second;
}

}  // namespace stowage
