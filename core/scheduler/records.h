// Writes parts of records, and calls, as JSON.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/api/decode/input_error.h"
#include "core/api/encode/json_writer.h"
#include "core/framework/snapshot.h"
#include "core/loop/call.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Appends a Call record, a line end, and the `bodyBytes` bytes of the body. A query's answer is
// returned under `key`; empty: the call belongs to no query.
void WriteCall(const Call& call, std::string_view key, std::string* out);

// "namespace/name"
std::string PodText(const Pod& pod);

// Write the members that decisions and evaluations share into the open object. First: message, hint
// and counts.
void WriteResultCounts(const ScheduleResult& result, JsonWriter* json);
// Then: reasons, preemption, and with `result.detail` the refusals by node and the scores.
void WriteResultMembers(const ScheduleResult& result, const Snapshot& snapshot, JsonWriter* json);

// Writes a member: the array of names, sorted.
void WriteNameSet(std::string_view key, const std::set<Symbol>& names, JsonWriter* json);

// Writes the members of an InputError into the open object.
void WriteInputError(const InputError& error, JsonWriter* json);

}  // namespace stowage
