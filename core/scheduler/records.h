// Writes parts of records, and calls, as JSON.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/input_error.h"
#include "core/api/encode/json_writer.h"
#include "core/framework/snapshot.h"
#include "core/loop/call.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Appends a line of JSON, and then the bodies of all calls, `bodyBytes` bytes. Successive calls
// that are alike form a group: its members are theirs, and each of its `calls` is an array of the
// id, the pod, the URL, the size of the body and, for a query, the key under which the answer is
// returned. Without calls, appends nothing.
void WriteCalls(const std::vector<Call>& calls, bool are_of_query, std::string* out);

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
