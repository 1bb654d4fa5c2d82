#include "core/cache/cache.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/api/field_error.h"
#include "core/api/zone_key.h"
#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

constexpr std::string_view kNoUid = "cannot get cache key for pod with empty UID";

// "uid(namespace/name)", the form of upstream's cache.
STOWAGE_COLD std::string Describe(const Pod& pod) {
  return Format("{}({}/{})", pod.metadata.uid.view(), pod.metadata.namespace_.view(),
                pod.metadata.name.view());
}

}  // namespace

Cache::Number Cache::NodeOf(const PodInfo& pod) const {
  auto found = pods_.find(pod.uid());
  CHECK(found != pods_.end());
  return found->second.node;
}

Cache::Number Cache::GetOrCreate(const Symbol& name, bool* created) {
  auto found = nodes_.find(name);
  *created = found == nodes_.end();
  return *created ? Create(name) : found->second;
}

STOWAGE_COLD Cache::Number Cache::Create(const Symbol& name) {
  Number number = items_.Add(name);
  nodes_[name] = number;
  Touch(number);
  return number;
}

void Cache::Touch(Number node) {
  items_.MoveToFront(node);
  items_.Mutable(node).info.set_generation(++generation_);
}

STOWAGE_COLD void Cache::Erase(Number node) {
  Symbol name = items_[node].info.name();
  items_.Remove(node);
  nodes_.erase(name);
}

void Cache::AddNode(NodeRef node) {
  ++num_node_changes_;
  bool created = false;
  Number number = GetOrCreate(node->metadata.name, &created);
  NodeItem& item = items_.Mutable(number);
  if (!created && item.info.node() != nullptr) image_states_.RemoveNode(*item.info.node());
  tree_.AddNode(*node);
  item.images = image_states_.AddNode(*node);
  item.images_version = 0;
  item.info.SetNode(std::move(node));
  Touch(number);
}

STOWAGE_COLD void Cache::UpdateNode(const Node& old_node, NodeRef new_node) {
  bool created = false;
  Number number = GetOrCreate(new_node->metadata.name, &created);
  NodeItem& item = items_.Mutable(number);
  bool is_moved = created || tree_.UpdateNode(old_node, *new_node);
  if (created) tree_.AddNode(*new_node);
  bool has_new_images = true;
  if (const Node* known = item.info.node()) {
    has_new_images = image_states_.UpdateNode(*known, *new_node, &item.images);
  } else {
    item.images = image_states_.AddNode(*new_node);
  }
  if (has_new_images) item.images_version = 0;
  if (is_moved || has_new_images) ++num_node_changes_;
  item.info.SetNode(std::move(new_node));
  Touch(number);
}

STOWAGE_COLD Status Cache::RemoveNode(const Node& node) {
  auto found = nodes_.find(node.metadata.name);
  if (found == nodes_.end()) {
    return Status::Error(Format("node {} is not found", node.metadata.name.view()));
  }
  ++num_node_changes_;
  Number number = found->second;
  NodeItem& item = items_.Mutable(number);
  item.info.RemoveNode();
  item.images = {};
  if (item.info.pods().empty()) {
    Erase(number);
  } else {
    Touch(number);
  }
  if (!tree_.RemoveNode(node)) {
    return Status::Error(Format("node {} in group {} was not found",
                                GoQuote(node.metadata.name.view()), GoQuote(GetZoneKey(node))));
  }
  image_states_.RemoveNode(node);
  return Status::Success();
}

void Cache::AddPodToNode(const PodInfoRef& pod, bool is_assumed, PodState* state) {
  bool created = false;
  Number node = GetOrCreate(pod->pod->spec.node_name, &created);
  NodeItem& item = items_.Mutable(node);
  item.info.AddPod(pod);
  item.pod_changes.Append(pod, true);
  Touch(node);
  item.info.set_pod_generation(item.info.generation());
  *state = {pod, is_assumed, node};
  if (is_assumed) ++num_assumed_pods_;
  pod_groups_.Put(pod->pod,
                  is_assumed ? PodGroupState::Stage::kAssumed : PodGroupState::Stage::kAssigned);
}

void Cache::RemovePodFromNode(Pods::const_iterator state) {
  Number node = state->second.node;
  NodeItem& item = items_.Mutable(node);
  CHECK(item.info.RemovePod(state->first));
  item.pod_changes.Append(state->second.pod, false);
  if (item.info.pods().empty() && item.info.node() == nullptr) {
    Erase(node);
  } else {
    Touch(node);
    item.info.set_pod_generation(item.info.generation());
  }
  if (state->second.is_assumed) --num_assumed_pods_;
  pods_.erase(state);
}

// Has the effect of removing the old version and adding the new one, on the same node.
void Cache::ReplacePod(const PodInfoRef& pod, Pods::const_iterator state) {
  PodState& known = pods_.Mutable(state);
  Number node = known.node;
  NodeItem& item = items_.Mutable(node);
  // A ghost is removed together with its only pod, so it takes the other path.
  bool is_alike = item.info.node() != nullptr && CountsAlike(*known.pod, *pod);
  if (!is_alike || !item.info.HasPortsOf(*known.pod)) {
    return AddPodAgain(pod, state);
  }
  item.info.ReplacePod(*known.pod, pod);
  // Else the log of the table would keep the assumed version in memory.
  item.pod_changes.ReplaceAdded(*known.pod, pod);
  ++generation_;
  Touch(node);
  item.info.set_pod_list_generation(item.info.generation());
  known.pod = pod;
  pod_groups_.Put(pod->pod, PodGroupState::Stage::kAssigned);
  if (known.is_assumed) --num_assumed_pods_;
  known.is_assumed = false;
}

STOWAGE_COLD void Cache::AddPodAgain(const PodInfoRef& pod, Pods::const_iterator state) {
  RemovePodFromNode(state);
  AddPodToNode(pod, false, &pods_[pod->uid()]);
}

Status Cache::AssumePod(const PodInfoRef& pod) {
  if (pod->uid().empty()) return Status::Error(kNoUid);
  PodState& state = pods_[pod->uid()];
  if (state.pod != nullptr) {
    return Status::Error(
        Format("pod {} is in the cache, so can't be assumed", Describe(*pod->pod)));
  }
  AddPodToNode(pod, true, &state);
  return Status::Success();
}

STOWAGE_COLD Status Cache::ForgetPod(const Pod& pod) {
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
  pod_groups_.Forget(*cached->pod);
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
  AddPodToNode(pod, false, &pods_[pod->uid()]);
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
    pod_groups_.Remove(*cached->pod);
    AddPodToNode(new_pod, false, &pods_[new_pod->uid()]);
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
  pod_groups_.Remove(*cached->pod);
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
  return found == nodes_.end() ? nullptr : &items_[found->second].info;
}

STOWAGE_COLD std::vector<const NodeInfo*> Cache::NodeInfos() const {
  std::map<Symbol, const NodeInfo*> sorted;
  for (Number node = items_.head(); node != NodeItems::kNone; node = items_.Next(node)) {
    sorted.emplace(items_[node].info.name(), &items_[node].info);
  }
  std::vector<const NodeInfo*> infos;
  for (const auto& [name, info] : sorted) infos.push_back(info);
  return infos;
}

STOWAGE_COLD std::vector<PodInfoRef> Cache::AssumedPods() const {
  std::vector<PodInfoRef> pods;
  pods.reserve(num_assumed_pods_);
  for (Number node = items_.head(); node != NodeItems::kNone; node = items_.Next(node)) {
    for (const PodInfoRef& pod : items_[node].info.pods()) {
      if (IsAssumedPod(pod->uid())) pods.push_back(pod);
    }
  }
  StableSort(&pods, [](const PodInfoRef& a, const PodInfoRef& b) { return a->uid() < b->uid(); });
  return pods;
}

void Cache::RefreshImages(Number node) {
  if (items_[node].images_version == image_states_.version()) return;
  NodeItem& item = items_.Mutable(node);
  item.images_version = image_states_.version();
  item.info.SetImageStates(image_states_.Summarize(item.images));
}

bool Cache::RefreshChangedNodes(Snapshot* snapshot, uint64_t since) {
  const bool is_first = snapshot->generation_ == 0;
  bool must_list = is_first;
  for (Number node = items_.head(); node != NodeItems::kNone; node = items_.Next(node)) {
    const NodeItem& item = items_[node];
    if (item.info.generation() <= since) break;
    if (item.info.node() == nullptr) {
      // A first refresh leaves ghosts without images, so that no earlier one shows.
      if (is_first && !item.info.image_states().empty()) {
        items_.Mutable(node).info.SetImageStates({});
      }
      continue;
    }
    RefreshImages(node);
    if (!snapshot->Refresh(item.info, &item.pod_changes)) must_list = true;
    uint64_t generation = item.info.pod_generation();
    // A savepoint keeps a copy of every item that is written.
    if (!item.pod_changes.IsSince(generation) || !item.pod_changes.changes().empty()) {
      items_.Mutable(node).pod_changes.Restart(generation);
    }
  }
  if (items_.head() != NodeItems::kNone) {
    snapshot->shown_generation_ = items_[items_.head()].info.generation();
  }
  return must_list;
}

bool Cache::RefreshForCycle(Snapshot* snapshot) {
  bool must_list = RefreshChangedNodes(snapshot, snapshot->generation_);
  snapshot->generation_ = snapshot->shown_generation_;
  return must_list;
}

void Cache::RebuildList(Snapshot* snapshot) {
  const NodeTable& table = snapshot->table_;
  bool lists_anew = snapshot->listing_ == 0 || snapshot->listing_ != listing_;
  std::vector<Renumbering::Move> moves;
  std::vector<const NodeInfo*> added;
  moves.reserve(std::max(table.size(), tree_.NumNodes()));
  tree_.VisitRows(lists_anew, [&](uint32_t row, uint32_t node, uint32_t previous) {
    if (previous == kNoRow) {
      auto found = nodes_.find(tree_.NameOf(node));
      CHECK(found != nodes_.end());
      const NodeInfo& info = items_[found->second].info;
      // A node that was removed and came back may be listed.
      if (table.IsRowOf(info.row(), info)) {
        previous = info.row();
      } else {
        added.push_back(&info);
      }
    }
    if (row != previous) moves.push_back({row, previous});
  });
  listing_ = snapshot->listing_ = ++num_listings_;
  snapshot->Renumber(Renumbering(std::move(moves), table.size(), tree_.NumNodes()), added);
}

STOWAGE_COLD void Cache::AdoptSnapshot(const Cache& other, Snapshot* snapshot) const {
  std::span<const NodeInfo* const> theirs = snapshot->nodes();
  std::vector<const NodeInfo*> ours(theirs.size(), nullptr);
  for (Number node = 0; node < items_.end(); ++node) {
    uint32_t row = items_[node].info.row();
    if (row < ours.size() && theirs[row] == &other.items_[node].info)
      ours[row] = &items_[node].info;
  }
  snapshot->table_.Relocate(std::move(ours));
}

STOWAGE_COLD Cache::Savepoint Cache::Save(const Snapshot& snapshot) {
  pods_.Save();
  return {items_.Save(), nodes_,
          tree_,         image_states_,
          pod_groups_,   num_assumed_pods_,
          generation_,   num_node_changes_,
          listing_,      snapshot};
}

STOWAGE_COLD void Cache::Restore(Savepoint savepoint, Snapshot* snapshot) {
  std::vector<Number> changed = items_.Restore(savepoint.items);
  nodes_ = std::move(savepoint.numbers);
  tree_ = std::move(savepoint.tree);
  image_states_ = std::move(savepoint.image_states);
  pods_.Restore();
  pod_groups_ = std::move(savepoint.pod_groups);
  num_assumed_pods_ = savepoint.num_assumed_pods;
  generation_ = savepoint.generation;
  num_node_changes_ = savepoint.num_node_changes;
  listing_ = savepoint.listing;
  snapshot->Restore(std::move(savepoint.snapshot));
  for (Number node : changed) snapshot->NoteChange(items_[node].info);
}

void Cache::Release(const Savepoint& savepoint) {
  items_.Release(savepoint.items);
  pods_.Release();
}

STOWAGE_COLD void Cache::HidePod(const PodInfoRef& pod, bool is_hidden) {
  Number node = NodeOf(*pod);
  NodeItem& item = items_.Mutable(node);
  if (is_hidden) {
    CHECK(item.info.RemovePod(pod->uid()));
  } else {
    item.info.AddPod(pod);
  }
  item.pod_changes.Append(pod, !is_hidden);
  Touch(node);
  item.info.set_pod_generation(item.info.generation());
}

void Cache::UpdateSnapshot(Snapshot* snapshot) {
  bool must_list = RefreshForCycle(snapshot);
  snapshot->num_node_changes_ = num_node_changes_;
  // In an evaluation beside a waiting cycle, the snapshot may list the nodes of a placement alone.
  bool is_placement = snapshot->NumNodes() < tree_.NumNodes();
  if (must_list || is_placement || HasRemovedNodes(*snapshot)) RebuildList(snapshot);
  snapshot->table_.FollowNewScalars();
  CHECK(snapshot->NumNodes() == tree_.NumNodes());
}

void Cache::UpdateSnapshotForEvaluations(Snapshot* snapshot) {
  if (!CanReuseForEvaluations(*snapshot)) ForgetSnapshot(snapshot);
  UpdateSnapshot(snapshot);
}

STOWAGE_COLD void Cache::ShowPods(Snapshot* snapshot) {
  if (snapshot->generation_ == 0 || !CanReuseForEvaluations(*snapshot)) return;
  for (Number node = items_.head(); node != NodeItems::kNone; node = items_.Next(node)) {
    const NodeItem& item = items_[node];
    if (item.info.generation() <= snapshot->shown_generation_) break;
    if (item.info.node() != nullptr && item.images_version != image_states_.version()) return;
  }
  CHECK(!RefreshChangedNodes(snapshot, snapshot->shown_generation_));
  snapshot->table_.FollowNewScalars();
}

bool Cache::CanReuseForEvaluations(const Snapshot& snapshot) const {
  return snapshot.num_node_changes_ == num_node_changes_;
}

bool Cache::IsCurrent(const Snapshot& snapshot) const {
  bool has_changed_node = items_.head() != NodeItems::kNone &&
                          items_[items_.head()].info.generation() > snapshot.shown_generation_;
  return !has_changed_node && snapshot.by_name_.size() == tree_.NumNodes();
}

Cache::SavedState Cache::BeginEvaluation(const PodInfo* removed, Snapshot* snapshot) {
  SavedState saved;
  if (removed == nullptr && IsCurrent(*snapshot)) return saved;
  auto save = [&](Number node) { saved.nodes.push_back({node, items_[node]}); };
  saved.snapshot = *snapshot;
  snapshot->table_.BeginEvaluation(++num_evaluations_);
  for (Number node = items_.head(); node != NodeItems::kNone; node = items_.Next(node)) {
    if (items_[node].info.generation() <= snapshot->generation_) break;
    save(node);
  }
  if (removed == nullptr) {
    UpdateSnapshot(snapshot);
    return saved;
  }
  Number node = NodeOf(*removed);
  if (items_[node].info.generation() <= snapshot->generation_) save(node);
  UpdateSnapshot(snapshot);
  RemovePodForEvaluation(removed->uid(), node, snapshot);
  return saved;
}

// The cache itself does not change, so the node keeps its generation and its place in the list.
void Cache::RemovePodForEvaluation(const Symbol& uid, Number node, Snapshot* snapshot) {
  NodeInfo& info = items_.Mutable(node).info;
  CHECK(info.RemovePod(uid));
  info.set_pod_generation(generation_ + 1);
  if (info.node() == nullptr) return;
  RefreshImages(node);
  CHECK(snapshot->Refresh(info, nullptr));
}

bool Cache::EndEvaluation(SavedState saved, Snapshot* snapshot) {
  if (!saved.snapshot) return false;
  *snapshot = std::move(*saved.snapshot);
  for (SavedState::SavedNode& node : saved.nodes) {
    items_.Mutable(node.node) = std::move(node.item);
  }
  snapshot->SetRows();
  return true;
}

}  // namespace stowage
