// RecordLog keeps what the engine has to say of a turn: records in their order, numbered, one JSON
// object a line; the field names are those of the golden files (js/schema/stowage-v1.json).
//
// Decisions are chained by their hashes (core/scheduler/decision_chain.h). Members that come with
// every decision are written by names that the compiler knows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/api/decode/input_error.h"
#include "core/api/object_key.h"
#include "core/base/instant.h"
#include "core/framework/api_client.h"
#include "core/framework/queued_pod_info.h"
#include "core/framework/snapshot.h"
#include "core/scheduler/decision_chain.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Which records are kept beside those that always are.
struct RecordOptions {
  bool has_events = false;
  bool has_moves = false;
};

struct DecisionRecord {
  const Pod& pod;
  uint32_t attempts = 0;
  std::string_view popped_from;  // "active" or "backoff"; empty when the pod was not popped
  // Set when a PreEnqueue plugin held the pod back; nothing else ran then.
  Status gated = {};
  const ScheduleResult& result;
};

// "scheduled", "unschedulable", "error" or "gated".
std::string_view ResultName(const DecisionRecord& record);

// What became of a placement.
struct BindingRecord {
  uint64_t decision = 0;  // its number
  const Pod& pod;
  Symbol node;
  std::string_view phase = {};  // of a failure: "Permit", "PreBind", "Bind"
  Status status = {};
};

class RecordLog {
 public:
  explicit RecordLog(RecordOptions options) : options_(options) {}

  void set_now(Instant now);
  // Appends all records since the last time to `out`.
  void TakeInto(std::string* out);
  // Of all decisions, in hexadecimal digits; of none, zeros.
  std::string_view hash() const { return chain_.hash(); }

  // Gives the number of the record. With `result.detail` it says it node by node; without, its size
  // is bounded.
  uint64_t WriteDecision(const DecisionRecord& record, const Snapshot& snapshot);
  // No cycle was run; `queued` is null where nobody was popped.
  void WriteSkipped(const ObjectKey& key, const QueuedPodInfo* queued, std::string_view message);
  void WriteBinding(const BindingRecord& record);
  void WriteEvent(const Pod& pod, const PodEvent& event);
  void WriteMove(const QueuedPodInfo& pod, std::string_view from);
  void WriteInputError(const InputError& error);
  // The cache or the queue was told something that contradicts what it knows; `operation` names
  // what it was asked for.
  void WriteInconsistency(std::string_view operation, const ObjectKey& key,
                          std::string_view message);

 private:
  // The members that all records begin with.
  void BeginRecord(std::string_view kind, JsonWriter* json);
  void EndRecord(JsonWriter* json);
  std::string_view NowText();
  void Chain(const DecisionRecord& record, DecisionResult result);

  RecordOptions options_;
  Instant now_;
  std::string now_text_;  // empty until it is asked for
  uint64_t seq_ = 0;
  std::string records_;
  DecisionChain chain_;
};

}  // namespace stowage
