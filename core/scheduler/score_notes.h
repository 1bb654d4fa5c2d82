// Score notes of an evaluation: how plugins compute the score of each node.
#pragma once

#include <string>

#include "core/api/encode/json_writer.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Selects the scores to explain. An empty name selects all.
struct ScoreNotesSelection {
  std::string plugin;  // or an extender
  std::string node;
};

// Writes the members
//   scoreNotes         [{node, plugin, raw, normalized, weight, weighted}], the node with the
//                      highest total first; raw and normalized are {value, lines}
//   scoreNotesOmitted  number of further selected nodes, if any
// `result` must hold scores.
void WriteScoreNotes(const ScoreNotesSelection& selection, const Framework& framework,
                     const Pod& pod, const ScheduleResult& result, JsonWriter* json);

}  // namespace stowage
