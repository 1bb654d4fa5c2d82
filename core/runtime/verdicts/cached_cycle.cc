// Counts how often the plain form would have called the plugins.
#include "core/runtime/verdicts/cached_cycle.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/base/cold.h"

namespace stowage {

bool CachedCycle::SkipsFilter(size_t plugin) const {
  bool is_uncached = (entry.uncached_plugins() >> plugin & 1) != 0;
  return is_uncached ? state.SkipsFilter(plugin) : entry.state().SkipsFilter(plugin);
}

bool CachedCycle::SkipsScore(size_t plugin) const {
  bool is_uncached = (entry.uncached_plugins() >> plugin & 1) != 0;
  return is_uncached ? state.SkipsScore(plugin) : entry.state().SkipsScore(plugin);
}

STOWAGE_COLD void CachedCycle::CountEvaluations(const Bitset& feasible, const SearchWindow& window,
                                                size_t num_tried) const {
  for (const auto& at : framework.pre_filter_plugins()) {
    if (SkipsFilter(at.index)) continue;
    framework.CountEvaluations(EvaluatedPoint::kPreFilter, at.index);
  }
  CountFilters(feasible, window, num_tried);
  if (window.feasible < 2) return;
  for (const auto& at : framework.pre_score_plugins()) {
    if (SkipsScore(at.index)) continue;
    framework.CountEvaluations(EvaluatedPoint::kPreScore, at.index);
  }
  for (const auto& at : framework.score_plugins()) {
    if (SkipsScore(at.index)) continue;
    framework.CountEvaluations(EvaluatedPoint::kScore, at.index, window.feasible);
  }
}

// The index of the first plugin that refuses the row. The entry does not store the verdicts of
// plugins that it leaves out, and those plugins did not run on rows that the entry refuses, so both
// are computed here.
STOWAGE_COLD size_t CachedCycle::RefuserOf(size_t row) const {
  const uint8_t verdict = entry.verdicts()[row];
  const NodeInfo& node = *framework.snapshot().nodes()[row];
  for (const auto& at : framework.filter_plugins()) {
    bool is_refuser = verdict != 0 && entry.statuses()[verdict - 1].plugin() == at.name;
    if (is_refuser) return at.index;
    if (state.SkipsFilter(at.index)) continue;
    if (!at.plugin->Filter(state, pod, node).IsSuccess()) return at.index;
  }
  CHECK(false);
}

// A plugin runs on the nodes that the plugins before it pass.
STOWAGE_COLD void CachedCycle::CountFilters(const Bitset& feasible, const SearchWindow& window,
                                            size_t num_tried) const {
  size_t rows = entry.feasible().size();
  // To know that it has enough, the search visits one more feasible node, if there is one.
  size_t visited = std::min(window.evaluated + 1, rows);
  std::array<size_t, PluginEvaluations::kPlugins> refused = {};  // by plugin index
  for (size_t visit = 0; visit < visited; ++visit) {
    size_t row = (window.start + visit) % rows;
    if (!feasible.Test(row)) ++refused[RefuserOf(row)];
  }
  size_t asked = num_tried + visited;
  for (const auto& at : framework.filter_plugins()) {
    if (SkipsFilter(at.index)) continue;
    framework.CountEvaluations(EvaluatedPoint::kFilter, at.index, asked);
    asked -= refused[at.index];
  }
}

}  // namespace stowage
