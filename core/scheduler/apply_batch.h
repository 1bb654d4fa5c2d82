// BatchReceiver applies the items of one batch and counts them for the ApplyResult.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/framework/waiting_pods.h"
#include "core/loop/loop.h"
#include "core/queue/scheduling_queue.h"
#include "core/scheduler/commands.h"
#include "core/scheduler/event_handlers.h"
#include "core/scheduler/inbox.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/record_log.h"
#include "core/scheduler/schedule_one.h"
#include "core/scheduler/simulated_api.h"
#include "core/scheduler/simulated_claims.h"
#include "core/scheduler/simulated_volumes.h"
#include "core/scheduler/sync_tracker.h"

namespace stowage {

class BatchReceiver final : public BatchSink {
 public:
  // The parts that items change or are checked against.
  struct Parts {
    const DecodeLimits& limits;
    const ObjectStore& store;
    EventHandlers& handlers;
    SyncTracker& sync;
    SchedulingQueue& queue;
    WaitingPods& waiting_pods;
    ScheduleCommands& commands;
    Inbox& inbox;               // items that arrive while a cycle waits
    const CycleRunner& cycles;  // whether a cycle waits
    Loop& cycle_loop;
    Loop& loop;
    SimulatedApi* simulated_api;          // null in host mode
    SimulatedVolumes* simulated_volumes;  // null if the host binds volumes
    SimulatedClaims* simulated_claims;    // null if the host plays their controller
    RecordLog& records;
    std::set<std::string>& reported_kinds;  // unknown kinds, each reported once per scheduler
    std::vector<ObjectChange>* kept;        // takes the objects; null if they are not kept
  };

  explicit BatchReceiver(const Parts& parts) : parts_(parts) {}

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
  // Handles an object that could not be read; OnError reports the error itself.
  void OnUnreadable(UnreadableObject unreadable);

  // Ends a batch and appends its ApplyResult.
  void Finish(std::string* out);
  // Ends the items of the inbox: writes a record for each InputError.
  void FinishInbox();

 private:
  // Keeps an item until the waiting cycle ends.
  void Defer(InboxItem item);
  void Refuse(InputErrorCode code, const ObjectMeta& metadata, std::string field,
              std::string message);
  bool Conflicts(const Pod& pod, bool is_listed);
  bool HasOtherPodOfUid(const Pod& pod, bool is_listed);
  bool HasOtherNode(const Pod& pod);

  const Parts& parts_;
  size_t index_ = 0;  // of the current item
  size_t applied_ = 0;
  size_t ignored_ = 0;
  std::string resource_version_;
  std::string status_;
  std::vector<InputError> errors_;
  std::vector<std::string> unknown_kinds_;
};

// Applies the items that arrived during the cycle.
void DrainInbox(const BatchReceiver::Parts& parts);

}  // namespace stowage
