// BatchReceiver takes the items of one batch into a scheduler and keeps the account of it that
// Apply answers with.
#pragma once

#include <string>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/api/encode/json_writer.h"
#include "core/scheduler/scheduler.h"

namespace stowage {

class BatchReceiver final : public BatchSink {
 public:
  explicit BatchReceiver(Scheduler& scheduler) : scheduler_(scheduler) {}

  void OnObject(ChangeType change, AnyObject object) override;
  void OnBookmark(Bookmark bookmark) override;
  void OnStatus(std::string_view status_json) override { status_ = status_json; }
  void OnSync(SyncMark mark) override;
  void OnScheduleOne(ScheduleOneCommand command) override;
  void OnActivate(ActivateCommand command) override;
  void OnWaitingPod(WaitingPodCommand command) override;
  void OnCompletion(CompletionItem item) override;
  void OnError(InputError error) override;
  void OnItemEnd() override { ++index_; }
  // An object that could not be read, which is an error as well.
  void OnUnread(UnreadObject unread);

  // Ends the batch: appends the ApplyResult.
  void Finish(std::string* out);
  // The same for what waited in the inbox: an InputError record per error.
  void FinishInbox();

 private:
  // Keeps an item until the cycle that waits has ended.
  void Defer(InboxItem item);
  void Refuse(InputErrorCode code, const ObjectMeta& metadata, std::string field,
              std::string message);
  bool Conflicts(const Pod& pod, bool is_listed);
  bool HasOtherPodOfUid(const Pod& pod, bool is_listed);
  bool HasOtherNode(const Pod& pod);

  Scheduler& scheduler_;
  size_t index_ = 0;  // of the item that is being taken in
  size_t applied_ = 0;
  size_t ignored_ = 0;
  std::string resource_version_;
  std::string status_;
  std::vector<InputError> errors_;
  std::vector<std::string> unknown_kinds_;
};

// The members of an InputError into the open object.
void WriteInputError(const InputError& error, JsonWriter* json);

}  // namespace stowage
