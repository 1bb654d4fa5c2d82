// Score notes of an evaluation: for plugins and nodes, how each score comes about.
#pragma once

#include <string>

#include "core/api/encode/json_writer.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Which scores are explained. An empty name selects all.
struct ScoreNotesSelection {
  std::string plugin;  // or extender
  std::string node;
};

// Writes the members
//   scoreNotes         [{node, plugin, raw, normalized, weight, weighted}], the node with the
//                      highest total first; raw and normalized are {value, lines}
//   scoreNotesOmitted  number of further nodes that are selected, if any
// `result` has scores.
void WriteScoreNotes(const ScoreNotesSelection& selection, const Framework& framework,
                     const Pod& pod, const ScheduleResult& result, JsonWriter* json);

}  // namespace stowage
