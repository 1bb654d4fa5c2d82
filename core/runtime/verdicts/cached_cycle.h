// CachedCycle is one cycle that uses a VerdictEntry: the state that CachedDecision and
// ClassDecision share.
#pragma once

#include "core/base/bitset.h"
#include "core/framework/cycle_state.h"
#include "core/runtime/framework.h"
#include "core/runtime/verdicts/search_window.h"
#include "core/runtime/verdicts/verdict_entry.h"

namespace stowage {

struct CachedCycle {
  const Framework& framework;
  const VerdictEntry& entry;  // up to date with the framework's snapshot
  const Pod& pod;
  CycleState state;  // of the plugins left out by the entry

  bool has_uncached_plugins() const { return entry.uncached_plugins() != 0; }
  bool PrepareReserve() {
    PluginBits plugins = entry.allocating_plugins();
    return plugins == 0 || framework.RunPreFilterOf(plugins, state, pod);
  }
  // Whether the entry holds all refusals, that is, the other plugins have nothing to filter in this
  // cycle.
  bool are_filters_closed() const { return state.skipped_filters() == ~PluginBits{0}; }

  // Counts the plugin calls that the plain form would have made up to the end of `window`, after it
  // tried `num_tried` feasible nodes.
  void CountEvaluations(const Bitset& feasible, const SearchWindow& window, size_t num_tried) const;

 private:
  bool SkipsFilter(size_t plugin) const;
  bool SkipsScore(size_t plugin) const;
  size_t RefuserOf(size_t row) const;
  void CountFilters(const Bitset& feasible, const SearchWindow& window, size_t num_tried) const;
};

}  // namespace stowage
