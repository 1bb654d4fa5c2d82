#include "core/scheduler/score_notes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/framework/score_notes.h"

namespace stowage {
namespace {

// Nodes beyond this limit are only counted.
constexpr size_t kMaxNodes = 100;

// The positions of the selected nodes.
std::vector<size_t> SelectedNodes(std::string_view node, const CycleDetail& detail) {
  std::vector<size_t> positions;
  for (size_t position = 0; position < detail.feasible.nodes.size(); ++position) {
    if (node.empty() || detail.feasible.nodes[position]->name().view() == node) {
      positions.push_back(position);
    }
  }
  return positions;
}

// Moves the position with the highest total among those from `first` on to `first`. Selecting up to
// kMaxNodes this way takes less code than sorting all.
void MoveBestTo(size_t first, const std::vector<int64_t>& total, std::vector<size_t>* positions) {
  size_t best = first;
  for (size_t index = first; index < positions->size(); ++index) {
    if (total[(*positions)[index]] > total[(*positions)[best]]) best = index;
  }
  std::swap((*positions)[first], (*positions)[best]);
}

// Null for an extender.
const PluginAt<ScorePlugin>* FindPlugin(const Framework& framework, const Symbol& name) {
  for (const PluginAt<ScorePlugin>& entry : framework.score_plugins()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

void WriteNotes(std::string_view step, int64_t value, const ScoreNotes& notes, JsonWriter* json) {
  json->Key(step).BeginObject().IntMember("value", value).Key("lines").BeginArray();
  for (const std::string& line : notes.lines()) json->String(line);
  json->EndArray().EndObject();
}

void NoteScore(const Framework& framework, const PluginAt<ScorePlugin>* entry,
               const NotedScore& scored, ScoreNotes* raw, ScoreNotes* normalized) {
  static const ScoreNotesPlugin kWithoutOperands;
  const ScoreNotesPlugin* plugin = entry == nullptr ? nullptr : framework.score_notes(*entry);
  if (plugin == nullptr) plugin = &kWithoutOperands;
  CHECK(plugin->NoteScore(scored, raw) == scored.score());
  if (entry == nullptr || entry->plugin->Normalizer() == nullptr) {
    normalized->AddResult("{}: the scores are not normalized", {scored.score()});
  } else {
    CHECK(plugin->NoteNormalizedScore(scored, normalized) == scored.normalized);
  }
}

// One plugin's scores of all feasible nodes.
struct Column {
  const PluginScores* scores;
  const PluginAt<ScorePlugin>* entry;
  std::vector<NodeScore> raw;
};

std::vector<Column> SelectedColumns(std::string_view plugin, const Framework& framework,
                                    const CycleDetail& detail) {
  std::vector<Column> columns;
  for (const PluginScores& scores : detail.scores->plugins) {
    if (!plugin.empty() && scores.plugin.view() != plugin) continue;
    Column column{&scores, FindPlugin(framework, scores.plugin), {}};
    for (size_t position = 0; position < scores.raw.size(); ++position) {
      column.raw.push_back({detail.feasible.nodes[position], scores.raw[position]});
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

void WriteScoreNotes(const ScoreNotesSelection& selection, const Framework& framework,
                     const Pod& pod, const ScheduleResult& result, JsonWriter* json) {
  const CycleDetail& detail = *result.detail;
  std::vector<size_t> positions = SelectedNodes(selection.node, detail);
  size_t num_written = std::min(positions.size(), kMaxNodes);
  std::vector<Column> columns = SelectedColumns(selection.plugin, framework, detail);
  json->Key("scoreNotes").BeginArray();
  for (size_t index = 0; index < num_written; ++index) {
    MoveBestTo(index, detail.scores->total, &positions);
    size_t position = positions[index];
    for (const Column& column : columns) {
      if (!framework.steps().Visit()) break;
      const PluginScores& scores = *column.scores;
      int64_t normalized = scores.weighted[position] / scores.weight;
      NotedScore scored{result.state, pod, column.raw, position, normalized};
      ScoreNotes raw_notes;
      ScoreNotes normalized_notes;
      NoteScore(framework, column.entry, scored, &raw_notes, &normalized_notes);
      json->BeginObject().StringMember("node", scored.node().name().view());
      json->StringMember("plugin", scores.plugin.view());
      WriteNotes("raw", scored.score(), raw_notes, json);
      WriteNotes("normalized", normalized, normalized_notes, json);
      json->IntMember("weight", scores.weight);
      json->IntMember("weighted", scores.weighted[position]).EndObject();
    }
  }
  json->EndArray();
  if (positions.size() > num_written) {
    json->IntMember("scoreNotesOmitted", positions.size() - num_written);
  }
}

}  // namespace stowage
