// PodLog records which pods were added to and removed from the nodes of a NodeTable, by their
// slots. Readers that count pods read these changes instead of all pods of a node. PodJournal
// collects them per node.
//
// Both are bounded and may miss changes. A renewal is logged for a node whose pods are unknown; if
// the log misses changes, a reader reads the changed rows of the ChangeLog in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/api/shared.h"
#include "core/base/shared_array.h"
#include "core/table/pod_info.h"
#include "core/table/pod_kinds.h"

namespace stowage {

struct PodChange {
  PodInfoRef pod;
  bool is_added = false;  // else removed
};

// The changes of one node's pods since a pod generation (NodeInfo::pod_generation).
class PodJournal {
 public:
  // With more changes the journal is discarded: reading all of the node's pods is cheaper then.
  static constexpr size_t kMax = 64;

  void Append(PodInfoRef pod, bool is_added) {
    if (since_ == kUnknown) return;
    if (changes().size() == kMax) return Restart(kUnknown);
    if (changes().empty()) {
      only_ = {std::move(pod), is_added};
      return;
    }
    if (only_.pod != nullptr) changes_.push_back(std::exchange(only_, {}));
    changes_.push_back({std::move(pod), is_added});
  }
  // Lists another version of the pod that was added, if it is the only change. Both must count
  // alike.
  void ReplaceAdded(const PodInfo& old_pod, const PodInfoRef& new_pod) {
    if (only_.is_added && only_.pod.get() == &old_pod) only_.pod = new_pod;
  }
  // Empties the journal. It then lists the changes since `generation`.
  void Restart(uint64_t generation) {
    only_ = {};
    changes_.clear();
    since_ = generation;
  }

  // Whether the journal is complete since `generation`.
  bool IsSince(uint64_t generation) const { return since_ == generation; }
  std::span<const PodChange> changes() const {
    if (only_.pod != nullptr) return {&only_, 1};
    return {changes_.begin(), changes_.size()};
  }

 private:
  static constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();

  PodChange only_;  // the first change until there is a second one, which most nodes never have
  SharedList<PodChange> changes_;
  uint64_t since_ = 0;
};

// A ring of changes with an absolute head; a reader keeps a cursor.
class PodLog {
 public:
  // Bounded because removed pods stay in memory while they are in the ring.
  static constexpr size_t kCapacity = 1024;

  struct Entry {
    uint32_t slot = 0;
    PodChange change;   // a renewal has no pod
    uint64_t kind = 0;  // of the pod, by kinds()
  };

  void Append(uint32_t slot, const PodChange& change) {
    if (kinds_ == nullptr) kinds_ = std::make_shared<PodKinds>();
    Append({slot, change, kinds_->KindOf(*change.pod->pod)});
  }
  // Logs that all pods of the slot must be read: it has another node, or pods changed unseen.
  void AppendRenewal(uint32_t slot) { Append({slot, {}, 0}); }
  // Marks a change that the log does not hold: ForEachSince fails for all earlier cursors.
  void Break() { unbroken_since_ = ++head_; }

  uint64_t head() const { return head_; }
  // Visits, in order, all changes since the head was `cursor`. Returns false, and visits nothing,
  // if the log does not hold all of them.
  template <typename Visit>
  bool ForEachSince(uint64_t cursor, Visit visit) const {
    if (!HasAllSince(cursor)) return false;
    for (; cursor < head_; ++cursor) visit(ring_[cursor % kCapacity]);
    return true;
  }
  // Copies of the log share it. Null: no pod was logged yet.
  const std::shared_ptr<PodKinds>& kinds() const { return kinds_; }

 private:
  // Whether the log holds every change since its head was `cursor`.
  bool HasAllSince(uint64_t cursor) const {
    return cursor >= unbroken_since_ && head_ - cursor <= kCapacity;
  }

  void Append(Entry entry) {
    if (ring_.empty()) ring_ = SharedArray<Entry>(kCapacity);
    ring_.Mutable(head_++ % kCapacity) = std::move(entry);
  }

  SharedArray<Entry> ring_;
  std::shared_ptr<PodKinds> kinds_;
  uint64_t head_ = 0;
  uint64_t unbroken_since_ = 0;
};

}  // namespace stowage
