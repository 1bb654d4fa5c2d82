// The state of a running scheduling cycle, shared by the plain and the cached form.
#pragma once

#include <optional>
#include <vector>

#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// The progress of one search: parts of the result, and what only the search needs.
struct SchedulingCycle::Search {
  explicit Search(ScheduleResult* into) : result(*into) {}

  ScheduleResult& result;
  CycleState& state = result.state;
  Diagnosis& diagnosis = result.diagnosis;
  size_t& evaluated_nodes = result.evaluated_nodes;
  size_t& feasible_nodes = result.feasible_nodes;
  Symbol& hint = result.hint;

  PreFilterOutcome pre_filter;
  FeasibleNodes feasible;  // plain form only
  std::optional<NodeScores> scores;
  std::vector<bool> is_extender_scored;  // by position; empty without extenders
  const NodeInfo* host = nullptr;
  bool is_decided = false;  // decided from the cache

  // Set if OpportunisticBatching is on.
  std::optional<CycleStamp> stamp;
  std::optional<PodSignature> signature;
  std::vector<ScoredNode> ranking;  // filled for a signed pod with a choice of nodes
};

}  // namespace stowage
