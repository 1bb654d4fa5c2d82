// Evaluation answers what the next cycle would do with a pod, without doing it: every refusal,
// every score, the winner (spec 05 §5–§7 asked from outside).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/scheduler/scheduling_cycle.h"
#include "core/scheduler/score_notes.h"

namespace stowage {

struct EvaluationOptions {
  // What was said about each node. Without it the question is decided as a cycle would: from what
  // is remembered, where that can be.
  bool nodes = true;
  bool all_plugins = false;  // every refusal of every node, not only the first
  std::optional<ScoreNotesSelection> score_notes = std::nullopt;  // how scores come about
  bool culprits = false;    // who is in the way on the nodes that refuse, and how much is missing
  bool every_node = false;  // verdicts also for nodes outside the sample
  bool preemption = true;   // run PostFilter when nothing fits
  bool table = false;       // one column per plugin over all nodes
  bool classify = false;    // how far the pod is from a node
  bool pre_enqueue = true;  // PreEnqueue plugins may hold the pod back
  std::optional<int64_t> max_steps = std::nullopt;  // positive; the rest is not looked at
};

// Appends the Evaluation document of `pod`. `cycle` is a copy whose start index may move. False,
// and nothing appended, when a call has no answer yet.
bool WriteEvaluation(const EvaluationOptions& options, SchedulingCycle cycle,
                     ProfileRuntime& profile, const Pod& pod, std::string* out);

}  // namespace stowage
