// Evaluation reports what the next cycle would do with a pod, without doing it: every refusal,
// every score, and the winner (spec 05 §5–§7, asked from outside).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/scheduler/culprits.h"
#include "core/scheduler/scheduling_cycle.h"
#include "core/scheduler/score_notes.h"

namespace stowage {

struct EvaluationOptions {
  // Lists the verdict of each node. False: the evaluation decides as a cycle does, from the verdict
  // cache where possible.
  bool nodes = true;
  bool all_plugins = false;  // every refusal of every node, not only the first
  std::optional<ScoreNotesSelection> score_notes = std::nullopt;  // explain how scores are computed
  bool culprits = false;  // what is in the way on the nodes that refuse, and how much is missing
  size_t culprit_nodes = kCulpritNodesMax;          // on how many nodes at most
  bool every_node = false;                          // verdicts also for nodes outside the sample
  bool preemption = true;                           // run PostFilter when nothing fits
  bool table = false;                               // one column per plugin over all nodes
  bool classify = false;                            // classify how far the pod is from a node
  bool pre_enqueue = true;                          // PreEnqueue plugins may hold the pod back
  std::optional<int64_t> max_steps = std::nullopt;  // positive; further nodes are skipped
};

// Appends the Evaluation document of `pod`. `cycle` is a copy, so its start index may move. Returns
// false and appends nothing if a call has no answer yet.
bool WriteEvaluation(const EvaluationOptions& options, SchedulingCycle cycle,
                     ProfileRuntime& profile, const Pod& pod, std::string* out);

}  // namespace stowage
