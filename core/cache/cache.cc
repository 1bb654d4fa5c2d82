#include "core/cache/cache.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/api/field_error.h"
#include "core/api/zone_key.h"
#include "core/base/check.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

constexpr std::string_view kNoUid = "cannot get cache key for pod with empty UID";

// "uid(namespace/name)", the form of upstream's cache.
std::string Describe(const Pod& pod) {
  return Format("{}({}/{})", pod.metadata.uid.view(), pod.metadata.namespace_.view(),
                pod.metadata.name.view());
}

}  // namespace

Cache::~Cache() = default;

Cache::Cache(const Cache& other)
    : tree_(other.tree_),
      image_states_(other.image_states_),
      pods_(other.pods_),
      num_assumed_pods_(other.num_assumed_pods_),
      generation_(other.generation_),
      num_node_changes_(other.num_node_changes_),
      num_evaluations_(other.num_evaluations_) {
  NodeItem** next = &head_;
  NodeItem* previous = nullptr;
  for (const NodeItem* item = other.head_; item != nullptr; item = item->next) {
    auto& copy = nodes_[item->info.name()] = std::make_unique<NodeItem>(*item);
    copy->previous = previous;
    copy->next = nullptr;
    previous = *next = copy.get();
    next = &previous->next;
  }
}

Cache& Cache::operator=(Cache other) noexcept {
  nodes_ = std::move(other.nodes_);
  head_ = other.head_;
  tree_ = std::move(other.tree_);
  image_states_ = std::move(other.image_states_);
  pods_ = std::move(other.pods_);
  num_assumed_pods_ = other.num_assumed_pods_;
  generation_ = other.generation_;
  num_node_changes_ = other.num_node_changes_;
  num_evaluations_ = other.num_evaluations_;
  return *this;
}

Cache::NodeItem* Cache::NodeOf(const PodInfo& pod) {
  auto found = nodes_.find(pod.pod->spec.node_name);
  CHECK(found != nodes_.end());
  return found->second.get();
}

Cache::NodeItem* Cache::GetOrCreate(const Symbol& name, bool* created) {
  std::unique_ptr<NodeItem>& place = nodes_[name];
  *created = place == nullptr;
  if (*created) {
    place = std::make_unique<NodeItem>(name);
    Touch(place.get());
  }
  return place.get();
}

void Cache::Unlink(NodeItem* item) {
  if (item->previous != nullptr) item->previous->next = item->next;
  if (item->next != nullptr) item->next->previous = item->previous;
  if (head_ == item) head_ = item->next;
  item->previous = nullptr;
  item->next = nullptr;
}

void Cache::Touch(NodeItem* item) {
  Unlink(item);
  item->next = head_;
  if (head_ != nullptr) head_->previous = item;
  head_ = item;
  item->info.set_generation(++generation_);
}

void Cache::Erase(NodeItem* item) {
  Unlink(item);
  Symbol name = item->info.name();
  nodes_.erase(name);
}

void Cache::AddNode(NodeRef node) {
  ++num_node_changes_;
  bool created = false;
  NodeItem* item = GetOrCreate(node->metadata.name, &created);
  if (!created && item->info.node() != nullptr) image_states_.RemoveNode(*item->info.node());
  tree_.AddNode(*node);
  item->images = image_states_.AddNode(*node);
  item->images_version = 0;
  item->info.SetNode(std::move(node));
  Touch(item);
}

void Cache::UpdateNode(const Node& old_node, NodeRef new_node) {
  bool created = false;
  NodeItem* item = GetOrCreate(new_node->metadata.name, &created);
  bool is_moved = created || tree_.UpdateNode(old_node, *new_node);
  if (created) tree_.AddNode(*new_node);
  bool has_new_images = true;
  if (const Node* known = item->info.node()) {
    has_new_images = image_states_.UpdateNode(*known, *new_node, &item->images);
  } else {
    item->images = image_states_.AddNode(*new_node);
  }
  if (has_new_images) item->images_version = 0;
  if (is_moved || has_new_images) ++num_node_changes_;
  item->info.SetNode(std::move(new_node));
  Touch(item);
}

Status Cache::RemoveNode(const Node& node) {
  auto found = nodes_.find(node.metadata.name);
  if (found == nodes_.end()) {
    return Status::Error(Format("node {} is not found", node.metadata.name.view()));
  }
  ++num_node_changes_;
  NodeItem* item = found->second.get();
  item->info.RemoveNode();
  item->images = {};
  if (item->info.pods().empty()) {
    Erase(item);
  } else {
    Touch(item);
  }
  if (!tree_.RemoveNode(node)) {
    return Status::Error(Format("node {} in group {} was not found",
                                GoQuote(node.metadata.name.view()), GoQuote(GetZoneKey(node))));
  }
  image_states_.RemoveNode(node);
  return Status::Success();
}

void Cache::AddPodToNode(const PodInfoRef& pod, bool is_assumed) {
  bool created = false;
  NodeItem* item = GetOrCreate(pod->pod->spec.node_name, &created);
  item->info.AddPod(pod);
  item->pod_changes.Append(pod, true);
  Touch(item);
  item->info.set_pod_generation(item->info.generation());
  pods_[pod->uid()] = {pod, is_assumed};
  if (is_assumed) ++num_assumed_pods_;
}

void Cache::RemovePodFromNode(Pods::const_iterator state) {
  NodeItem* item = NodeOf(*state->second.pod);
  CHECK(item->info.RemovePod(state->first));
  item->pod_changes.Append(state->second.pod, false);
  if (item->info.pods().empty() && item->info.node() == nullptr) {
    Erase(item);
  } else {
    Touch(item);
    item->info.set_pod_generation(item->info.generation());
  }
  if (state->second.is_assumed) --num_assumed_pods_;
  pods_.erase(state);
}

// Has the effect of removing the old version and adding the new one, on the same node.
void Cache::ReplacePod(const PodInfoRef& pod, Pods::const_iterator state) {
  PodState& known = pods_.Mutable(state);
  NodeItem* item = NodeOf(*known.pod);
  // A ghost is removed together with its only pod, so it takes the other path.
  bool is_alike = item->info.node() != nullptr && CountsAlike(*known.pod, *pod);
  if (!is_alike || !item->info.HasPortsOf(*known.pod)) {
    RemovePodFromNode(state);
    return AddPodToNode(pod, false);
  }
  item->info.ReplacePod(*known.pod, pod);
  ++generation_;
  Touch(item);
  item->info.set_pod_list_generation(item->info.generation());
  known.pod = pod;
  if (std::exchange(known.is_assumed, false)) --num_assumed_pods_;
}

Status Cache::AssumePod(const PodInfoRef& pod) {
  if (pod->uid().empty()) return Status::Error(kNoUid);
  if (pods_.contains(pod->uid())) {
    return Status::Error(
        Format("pod {} is in the cache, so can't be assumed", Describe(*pod->pod)));
  }
  AddPodToNode(pod, true);
  return Status::Success();
}

Status Cache::ForgetPod(const Pod& pod) {
  if (pod.metadata.uid.empty()) return Status::Error(kNoUid);
  auto found = pods_.find(pod.metadata.uid);
  if (found == pods_.end()) return Status::Success();
  PodInfoRef cached = found->second.pod;
  if (cached->pod->spec.node_name != pod.spec.node_name) {
    return Status::Error(Format("pod {} was assumed on {} but assigned to {}", Describe(pod),
                                pod.spec.node_name.view(), cached->pod->spec.node_name.view()));
  }
  if (!found->second.is_assumed) {
    return Status::Error(Format("pod {} wasn't assumed so cannot be forgotten", Describe(pod)));
  }
  RemovePodFromNode(found);
  return Status::Success();
}

Status Cache::AddPod(const PodInfoRef& pod) {
  if (pod->uid().empty()) return Status::Error(kNoUid);
  auto found = pods_.find(pod->uid());
  if (found != pods_.end()) {
    if (!found->second.is_assumed) {
      return Status::Error(Format("pod {} was already in added state", Describe(*pod->pod)));
    }
    if (found->second.pod->pod->spec.node_name == pod->pod->spec.node_name) {
      ReplacePod(pod, found);
      return Status::Success();
    }
    RemovePodFromNode(found);
  }
  AddPodToNode(pod, false);
  return Status::Success();
}

Status Cache::UpdatePod(const Pod& old_pod, const PodInfoRef& new_pod) {
  if (old_pod.metadata.uid.empty() || new_pod->uid().empty()) return Status::Error(kNoUid);
  auto found = pods_.find(old_pod.metadata.uid);
  if (found == pods_.end()) {
    return Status::Error(
        Format("pod {} is not added to scheduler cache, so cannot be updated", Describe(old_pod)));
  }
  if (found->second.is_assumed) {
    return Status::Error(Format("assumed pod {} should not be updated", Describe(old_pod)));
  }
  PodInfoRef cached = found->second.pod;
  if (cached->pod->spec.node_name != new_pod->pod->spec.node_name) {
    return Status::Error(Format("pod {} updated on a different node than previously added to",
                                Describe(*new_pod->pod)));
  }
  if (new_pod->uid() == cached->uid()) {
    ReplacePod(new_pod, found);
  } else {
    RemovePodFromNode(found);
    AddPodToNode(new_pod, false);
  }
  return Status::Success();
}

Status Cache::RemovePod(const Pod& pod) {
  if (pod.metadata.uid.empty()) return Status::Error(kNoUid);
  auto found = pods_.find(pod.metadata.uid);
  if (found == pods_.end()) {
    return Status::Error(Format(
        "pod {} is not found in scheduler cache, so cannot be removed from it", Describe(pod)));
  }
  PodInfoRef cached = found->second.pod;
  bool is_moved = cached->pod->spec.node_name != pod.spec.node_name;
  if (is_moved && !pod.spec.node_name.empty()) {
    return Status::Error(
        Format("pod {} was added to a different node than it is removed from", Describe(pod)));
  }
  RemovePodFromNode(found);
  return Status::Success();
}

bool Cache::IsAssumedPod(const Symbol& uid) const {
  if (num_assumed_pods_ == 0) return false;
  auto found = pods_.find(uid);
  return found != pods_.end() && found->second.is_assumed;
}

PodInfoRef Cache::GetPod(const Symbol& uid) const {
  auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : found->second.pod;
}

const NodeInfo* Cache::GetNodeInfo(const Symbol& name) const {
  auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : &found->second->info;
}

std::vector<const NodeInfo*> Cache::NodeInfos() const {
  std::map<Symbol, const NodeInfo*> sorted;
  for (const NodeItem* item = head_; item != nullptr; item = item->next) {
    sorted.emplace(item->info.name(), &item->info);
  }
  std::vector<const NodeInfo*> infos;
  for (const auto& [name, info] : sorted) infos.push_back(info);
  return infos;
}

std::vector<PodInfoRef> Cache::AssumedPods() const {
  std::vector<PodInfoRef> pods;
  pods.reserve(num_assumed_pods_);
  for (const NodeItem* item = head_; item != nullptr; item = item->next) {
    for (const PodInfoRef& pod : item->info.pods()) {
      if (IsAssumedPod(pod->uid())) pods.push_back(pod);
    }
  }
  StableSort(&pods, [](const PodInfoRef& a, const PodInfoRef& b) { return a->uid() < b->uid(); });
  return pods;
}

void Cache::RefreshImages(NodeItem* item) {
  if (item->images_version == image_states_.version()) return;
  item->images_version = image_states_.version();
  item->info.SetImageStates(image_states_.Summarize(item->images));
}

// Returns true if the list must be rebuilt.
bool Cache::RefreshChangedNodes(Snapshot* snapshot) {
  bool is_new_node_seen = false;
  for (NodeItem* item = head_; item != nullptr; item = item->next) {
    if (item->info.generation() <= snapshot->generation_) break;
    if (item->info.node() == nullptr) continue;
    RefreshImages(item);
    auto [name, entry, inserted] = snapshot->by_name_.try_emplace(item->info.name());
    if (inserted) {
      entry.info = &item->info;
      is_new_node_seen = true;
    } else {
      snapshot->Refresh(&entry, &item->info, &item->pod_changes);
    }
    item->pod_changes.Restart(item->info.pod_generation());
  }
  if (head_ != nullptr) snapshot->generation_ = head_->info.generation();
  return is_new_node_seen;
}

void Cache::RebuildList(Snapshot* snapshot) {
  std::vector<NodeInfo*> list;
  list.reserve(tree_.NumNodes());
  for (const Symbol& name : tree_.List()) {
    auto found = snapshot->by_name_.find(name);
    CHECK(found != snapshot->by_name_.end());
    list.push_back(found->second.info);
  }
  snapshot->SetList(list);
}

void Cache::AdoptSnapshot(Snapshot* snapshot) const {
  snapshot->Relocate([this](const Symbol& name) -> NodeInfo* {
    auto found = nodes_.find(name);
    return found == nodes_.end() ? nullptr : &found->second->info;
  });
}

void Cache::UpdateSnapshot(Snapshot* snapshot) {
  bool is_new_node_seen = RefreshChangedNodes(snapshot);
  if (is_new_node_seen || HasRemovedNodes(*snapshot)) RebuildList(snapshot);
  snapshot->table_.FollowNewScalars();
  CHECK(snapshot->NumNodes() == tree_.NumNodes());
}

void Cache::UpdateSnapshotForEvaluations(Snapshot* snapshot) {
  if (!CanReuseForEvaluations(*snapshot)) ForgetSnapshot(snapshot);
  snapshot->num_node_changes_ = num_node_changes_;
  UpdateSnapshot(snapshot);
}

// Journals restart when their nodes are listed again.
void Cache::ForgetSnapshot(Snapshot* snapshot) {
  snapshot->generation_ = 0;
  snapshot->by_name_.clear();
  snapshot->SetList({});
  for (NodeItem* item = head_; item != nullptr; item = item->next) {
    item->images_version = 0;
    item->info.SetImageStates({});
  }
}

bool Cache::CanReuseForEvaluations(const Snapshot& snapshot) const {
  return snapshot.num_node_changes_ == num_node_changes_;
}

bool Cache::IsCurrent(const Snapshot& snapshot) const {
  bool has_changed_node = head_ != nullptr && head_->info.generation() > snapshot.generation_;
  return !has_changed_node && snapshot.by_name_.size() == tree_.NumNodes();
}

Cache::SavedState Cache::BeginEvaluation(const PodInfo* removed, Snapshot* snapshot) {
  SavedState saved;
  if (removed == nullptr && IsCurrent(*snapshot)) return saved;
  auto save = [&saved](NodeItem* item) {
    saved.nodes.push_back({item, item->info, item->pod_changes, item->images_version});
  };
  saved.snapshot = *snapshot;
  snapshot->table_.set_evaluation(++num_evaluations_);
  for (NodeItem* item = head_; item != nullptr; item = item->next) {
    if (item->info.generation() <= snapshot->generation_) break;
    save(item);
  }
  if (removed == nullptr) {
    UpdateSnapshot(snapshot);
    return saved;
  }
  NodeItem* item = NodeOf(*removed);
  if (item->info.generation() <= snapshot->generation_) save(item);
  UpdateSnapshot(snapshot);
  RemovePodForEvaluation(removed->uid(), item, snapshot);
  return saved;
}

// The cache itself does not change, so the node keeps its generation and its place in the list.
void Cache::RemovePodForEvaluation(const Symbol& uid, NodeItem* item, Snapshot* snapshot) {
  CHECK(item->info.RemovePod(uid));
  item->info.set_pod_generation(generation_ + 1);
  if (item->info.node() == nullptr) return;
  RefreshImages(item);
  snapshot->Refresh(&snapshot->by_name_[item->info.name()], &item->info, nullptr);
}

bool Cache::EndEvaluation(SavedState saved, Snapshot* snapshot) {
  if (!saved.snapshot) return false;
  *snapshot = std::move(*saved.snapshot);
  for (SavedState::SavedNode& node : saved.nodes) {
    node.item->info = std::move(node.info);
    node.item->pod_changes = std::move(node.pod_changes);
    node.item->images_version = node.images_version;
  }
  const std::vector<Symbol>& names = *snapshot->table_.names();
  for (uint32_t row = 0; row < snapshot->NumNodes(); ++row) {
    auto found = nodes_.find(names[row]);
    if (found != nodes_.end()) found->second->info.set_row(row);
  }
  return true;
}

}  // namespace stowage
