// CachedDecision decides one pod from a VerdictEntry without classes.
//
// It reads the cached verdicts of the entry's plugins. Plugins that the entry leaves out are called
// again, in their chunk form and only for the rows that all others pass. The order of two refusals
// matters only when no node is left; then the plain form decides, unless these plugins have nothing
// to filter.
#pragma once

#include <span>
#include <vector>

#include "core/base/bitset.h"
#include "core/base/result.h"
#include "core/framework/diagnosis.h"
#include "core/runtime/sorted_scored_nodes.h"
#include "core/runtime/tie_breaker.h"
#include "core/runtime/verdicts/cached_cycle.h"
#include "core/runtime/verdicts/search_window.h"
#include "core/runtime/verdicts/verdict_entry.h"

namespace stowage {

class CachedDecision {
 public:
  // `entry` is up to date with the framework's snapshot.
  CachedDecision(const Framework& framework, const VerdictEntry& entry, const Pod& pod)
      : framework_(framework),
        entry_(entry),
        pod_(pod),
        cycle_{framework, entry, pod, CycleState(~entry.uncached_plugins())} {}

  // Finds the feasible rows. False: the plain form must decide.
  bool Filter();

  // Adds the PreFilter state that Reserve needs on the chosen node. False: the plain form must
  // decide.
  bool PrepareReserve() { return cycle_.PrepareReserve(); }
  // The CycleState of the plugins that ran. Moves it out: call it last.
  CycleState TakeState() { return std::move(cycle_.state); }
  const Bitset& feasible() const {
    return cycle_.has_uncached_plugins() ? feasible_ : entry_.feasible();
  }
  SearchWindow FindWindow(size_t start, size_t want) const {
    return stowage::FindWindow(feasible(), feasible().Count(), start, want);
  }
  // The refusals inside the window, for a pod that every node refuses.
  NodeToStatus Statuses(const SearchWindow& window) const;
  // The node with the best total in the window, which holds at least two feasible rows. An error
  // is a plugin's. `ranking`, unless null, gets all of them in visit order.
  Result<const NodeInfo*, Status> SelectHost(const SearchWindow& window, TieBreaker tie_breaker,
                                             std::vector<ScoredNode>* ranking);
  void CountEvaluations(const SearchWindow& window, size_t num_tried) const {
    cycle_.CountEvaluations(feasible(), window, num_tried);
  }
  // The only feasible row of the window.
  const NodeInfo& OnlyFeasible(const SearchWindow& window) const;

 private:
  void ListNodes(const SearchWindow& window);
  Status AddColumn(const VerdictEntry::Column& column, const SearchWindow& window);
  Status AddUncachedPlugins(const SearchWindow& window);
  Status AddUncachedPlugin(const PluginAt<ScorePlugin>& entry, const SearchWindow& window);
  void AddWeighted(std::span<const NodeScore> scores, int64_t weight, const SearchWindow& window);

  const Framework& framework_;
  const VerdictEntry& entry_;
  const Pod& pod_;
  CachedCycle cycle_;
  Bitset feasible_;  // unused if the entry leaves out no plugin
  // By position in the feasible list. The totals stay empty as long as only the base scores decide.
  std::vector<const NodeInfo*> nodes_;
  std::vector<int64_t> totals_;
};

}  // namespace stowage
