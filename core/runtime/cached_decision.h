// CachedDecision decides one pod from a VerdictEntry.
//
// What the entry's plugins said is read; open plugins, such as those that compare pods, are asked
// anew, in their chunk form and only about the rows that all others pass. Which of two refusals
// comes first matters only when no node is left, and then the plain form has the word, unless the
// open plugins have nothing to filter.
#pragma once

#include <span>
#include <vector>

#include "core/base/bitset.h"
#include "core/base/result.h"
#include "core/framework/diagnosis.h"
#include "core/runtime/search_window.h"
#include "core/runtime/sorted_scored_nodes.h"
#include "core/runtime/tie_breaker.h"
#include "core/runtime/verdict_entry.h"

namespace stowage {

class CachedDecision {
 public:
  // `entry` is up to date with the framework's snapshot.
  CachedDecision(const Framework& framework, const VerdictEntry& entry, const Pod& pod)
      : framework_(framework), entry_(entry), pod_(pod), state_(~entry.open()) {}

  // Finds the feasible rows. False: the pod has to be decided plainly.
  bool Filter();

  // What the open plugins remember; nothing more is asked afterwards.
  CycleState TakeState() { return std::move(state_); }
  const Bitset& feasible() const { return has_open_plugins() ? feasible_ : entry_.feasible(); }
  // The refusals inside the window, of a pod that is refused everywhere.
  NodeToStatus Statuses(const SearchWindow& window) const;
  // The node with the best total in the window, which holds at least two feasible rows. The fault
  // is a plugin's. `ranking`, unless null, gets all of them in visit order.
  Result<const NodeInfo*, Status> SelectHost(const SearchWindow& window, TieBreaker tie_breaker,
                                             std::vector<ScoredNode>* ranking);
  // Counts what the plain form would have asked the plugins on its way to `window`; before that it
  // tried `num_tried` feasible nodes.
  void CountEvaluations(const SearchWindow& window, size_t num_tried) const;
  // The only feasible row of the window.
  const NodeInfo& OnlyFeasible(const SearchWindow& window) const;

 private:
  bool has_open_plugins() const { return entry_.open() != 0; }
  // Whether all refusals are the entry's: open plugins have nothing to filter in this cycle.
  bool are_filters_closed() const { return state_.skipped_filters() == ~PluginBits{0}; }
  void ListNodes(const SearchWindow& window);
  Status AddColumn(const VerdictEntry::Column& column, const SearchWindow& window);
  Status AddOpenPlugins(const SearchWindow& window);
  Status AddOpenPlugin(const PluginAt<ScorePlugin>& entry, const SearchWindow& window);
  void AddWeighted(std::span<const NodeScore> scores, int64_t weight, const SearchWindow& window);
  const NodeInfo* SelectByBase(const SearchWindow& window, TieBreaker tie_breaker) const;

  bool SkipsFilter(size_t plugin) const;
  bool SkipsScore(size_t plugin) const;
  size_t RefuserOf(size_t row) const;
  void CountFilters(const SearchWindow& window, size_t num_tried) const;

  const Framework& framework_;
  const VerdictEntry& entry_;
  const Pod& pod_;
  CycleState state_;  // of the open plugins
  Bitset feasible_;   // unused without open plugins
  // By position in the list of feasible nodes; the totals are empty while nothing but the base
  // decides.
  std::vector<const NodeInfo*> nodes_;
  std::vector<int64_t> totals_;
};

}  // namespace stowage
