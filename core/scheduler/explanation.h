// The parts of a record that explain a decision node by node: grouped refusals, scores per plugin,
// and the dry run of preemption. Field names are those of the golden files.
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

// Groups of nodes that were refused with the same plugin, code and reasons.
class RefusalGroups {
 public:
  void Add(const Status& status, const Symbol& node);
  // [{"plugin","code","reasons","nodes"}], everything sorted.
  void Write(JsonWriter* json) const;

 private:
  using Key = std::tuple<Symbol, Code, std::vector<Symbol>>;
  // Most nodes have one of few statuses.
  struct Recent {
    Status status;
    std::vector<Symbol>* nodes;
  };
  static constexpr size_t kRecentMax = 16;

  std::map<Key, std::vector<Symbol>> groups_;
  std::vector<Recent> recent_;
};

// Writes a status as {"plugin","code","reasons"}; omits an empty plugin.
void WriteStatusMembers(const Status& status, JsonWriter* json);
void WriteNames(std::string_view key, const std::vector<Symbol>& names, JsonWriter* json);

// Writes a member: the pods as "namespace/name".
void WritePods(std::string_view key, const std::vector<PodInfoRef>& pods, JsonWriter* json);

// Writes preFilter, preFilterResult, absent, filter, feasible, best, scores, rawScores, weights,
// total.
void WriteNodeMembers(const ScheduleResult& result, const Snapshot& snapshot, JsonWriter* json);

// Writes "preemption": PostFilter's status and result, and the nominations that it clears.
void WritePreemption(const ScheduleResult& result, JsonWriter* json);

}  // namespace stowage
