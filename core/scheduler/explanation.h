// The parts of a record that explain a decision node by node: refusals in groups, scores per
// plugin, and the preemption's dry run. Field names are those of the golden files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/framework/snapshot.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Nodes refused alike, keyed by plugin, code and reasons.
class RefusalGroups {
 public:
  void Add(const Status& status, const Symbol& node);
  // [{"plugin","code","reasons","nodes"}], sorted throughout.
  void Write(JsonWriter* json) const;

 private:
  using Key = std::tuple<Symbol, Code, std::vector<Symbol>>;
  std::map<Key, std::vector<Symbol>> groups_;
};

// A status as {"plugin","code","reasons"}; the plugin only when there is one.
void WriteStatusMembers(const Status& status, JsonWriter* json);
void WriteNames(std::string_view key, const std::vector<Symbol>& names, JsonWriter* json);

// preFilter, preFilterResult, absent, filter, feasible, best, scores, rawScores, weights, total.
void WriteNodeMembers(const ScheduleResult& result, const Snapshot& snapshot, JsonWriter* json);

// "preemption": what PostFilter said and found, and which nominations it takes away.
void WritePreemption(const ScheduleResult& result, JsonWriter* json);

}  // namespace stowage
