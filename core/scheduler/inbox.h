// Inbox holds what arrives while a cycle is under way: batch items, and writes of the simulated
// API. The cycle thus decides on the cluster as it was when the cycle began.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/api/object_key.h"

namespace stowage {

struct ObjectChange {
  ChangeType change;
  AnyObject object;
};

// An object that could not be read. For a list under way, it still counts as mentioned.
struct UnreadableObject {
  std::optional<KindKey> kind;
  ObjectKey key;  // without a name: unknown
};

using InboxItem = std::variant<ObjectChange, UnreadableObject, SyncMark, ScheduleOneCommand,
                               ActivateCommand, WaitingPodCommand>;

class Inbox {
 public:
  void Add(InboxItem item) { items_.push_back(std::move(item)); }
  bool empty() const { return items_.empty(); }
  // Empties the inbox and returns the items in order of arrival.
  std::vector<InboxItem> Take() { return std::exchange(items_, {}); }
  // The last change of a pod in the inbox; null if there is none.
  const ObjectChange* LatestChangeOf(const ObjectKey& pod) const {
    for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
      const auto* change = std::get_if<ObjectChange>(&*item);
      if (change == nullptr || !change->object.Is<Pod>()) continue;
      if (ObjectKey::Of(change->object.metadata()) == pod) return change;
    }
    return nullptr;
  }

 private:
  std::vector<InboxItem> items_;
};

}  // namespace stowage
