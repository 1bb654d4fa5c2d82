// InboxItem is one item of a batch that came in while a cycle waited for an answer: the cycle
// decides on the cluster as it was when it began.
#pragma once

#include <variant>

#include "core/api/decode/batch.h"

namespace stowage {

struct ObjectChange {
  ChangeType change;
  AnyObject object;
};

using InboxItem =
    std::variant<ObjectChange, SyncMark, ScheduleOneCommand, ActivateCommand, WaitingPodCommand>;

}  // namespace stowage
