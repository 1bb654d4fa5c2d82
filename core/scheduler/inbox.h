// InboxItem is one item of a batch that came in while a cycle waited for an answer: the cycle
// decides on the cluster as it was when it began.
#pragma once

#include <optional>
#include <variant>

#include "core/api/decode/batch.h"
#include "core/api/object_key.h"

namespace stowage {

struct ObjectChange {
  ChangeType change;
  AnyObject object;
};

// An object that could not be read: a list that has it still mentions it.
struct UnreadObject {
  std::optional<KindKey> kind;
  ObjectKey key;  // without a name: unknown
};

using InboxItem = std::variant<ObjectChange, UnreadObject, SyncMark, ScheduleOneCommand,
                               ActivateCommand, WaitingPodCommand>;

}  // namespace stowage
