// Records are what the engine says happened, one JSON object a line; the field names are those of
// the golden files (js/schema/stowage-v1.json has them all).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/api/encode/json_writer.h"
#include "core/base/instant.h"
#include "core/framework/snapshot.h"
#include "core/loop/call.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

struct DecisionRecord {
  uint64_t seq = 0;
  Instant at;
  const Pod& pod;
  uint32_t attempts = 0;
  // Set when a PreEnqueue plugin held the pod back; nothing else ran then.
  Status gated;
  const ScheduleResult& result;
};

// "scheduled", "unschedulable", "error" or "gated".
std::string_view ResultName(const DecisionRecord& record);

// Appends the record and a line end. With `result.detail` it says it node by node; without, its
// size is bounded.
void WriteDecision(const DecisionRecord& record, const Snapshot& snapshot, std::string* out);

// Appends a Call record, a line end, and the `bodyBytes` bytes of the body. `key`, unless empty, is
// what a question's answer is brought back by.
void WriteCall(const Call& call, std::string_view key, std::string* out);

// "namespace/name"
std::string PodText(const Pod& pod);

// The members that decisions and evaluations share, into the open object: message, counts, reasons,
// preemption, and with `result.detail` the refusals by node and the scores.
void WriteResultMembers(const ScheduleResult& result, const Snapshot& snapshot, JsonWriter* json);

}  // namespace stowage
