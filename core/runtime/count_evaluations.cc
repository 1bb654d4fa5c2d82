// How often CachedDecision's plugins would have been asked in the plain form.
#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/runtime/cached_decision.h"

namespace stowage {

bool CachedDecision::SkipsFilter(size_t plugin) const {
  bool is_open = (entry_.open() >> plugin & 1) != 0;
  return is_open ? state_.SkipsFilter(plugin) : entry_.state().SkipsFilter(plugin);
}

bool CachedDecision::SkipsScore(size_t plugin) const {
  bool is_open = (entry_.open() >> plugin & 1) != 0;
  return is_open ? state_.SkipsScore(plugin) : entry_.state().SkipsScore(plugin);
}

void CachedDecision::CountEvaluations(const SearchWindow& window, size_t num_tried) const {
  for (const auto& entry : framework_.pre_filter_plugins()) {
    if (SkipsFilter(entry.index)) continue;
    framework_.CountEvaluations(EvaluatedPoint::kPreFilter, entry.index);
  }
  CountFilters(window, num_tried);
  if (window.feasible < 2) return;
  for (const auto& entry : framework_.pre_score_plugins()) {
    if (SkipsScore(entry.index)) continue;
    framework_.CountEvaluations(EvaluatedPoint::kPreScore, entry.index);
  }
  for (const auto& entry : framework_.score_plugins()) {
    if (SkipsScore(entry.index)) continue;
    framework_.CountEvaluations(EvaluatedPoint::kScore, entry.index, window.feasible);
  }
}

// The plugin, by its index, that is the first to refuse the row. What open plugins said was not
// kept, and of rows that the entry refuses they were not asked: both are made up for here.
size_t CachedDecision::RefuserOf(size_t row) const {
  const uint8_t verdict = entry_.verdicts()[row];
  const NodeInfo& node = *framework_.snapshot().nodes()[row];
  for (const auto& entry : framework_.filter_plugins()) {
    bool is_refuser = verdict != 0 && entry_.statuses()[verdict - 1].plugin() == entry.name;
    if (is_refuser) return entry.index;
    if (state_.SkipsFilter(entry.index)) continue;
    if (!entry.plugin->Filter(state_, pod_, node).IsSuccess()) return entry.index;
  }
  CHECK(false);
}

// A plugin is asked about the nodes that those before it pass.
void CachedDecision::CountFilters(const SearchWindow& window, size_t num_tried) const {
  size_t rows = entry_.feasible().size();
  // The search looks at one feasible node more, if there is one, to know that it has enough.
  size_t visited = std::min(window.evaluated + 1, rows);
  std::array<size_t, PluginEvaluations::kPlugins> refused = {};  // by plugin index
  for (size_t visit = 0; visit < visited; ++visit) {
    size_t row = (window.start + visit) % rows;
    if (!feasible().Test(row)) ++refused[RefuserOf(row)];
  }
  size_t asked = num_tried + visited;
  for (const auto& entry : framework_.filter_plugins()) {
    if (SkipsFilter(entry.index)) continue;
    framework_.CountEvaluations(EvaluatedPoint::kFilter, entry.index, asked);
    asked -= refused[entry.index];
  }
}

}  // namespace stowage
