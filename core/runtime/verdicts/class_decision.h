// ClassDecision decides one pod from a VerdictEntry with classes.
//
// It reads the cached verdicts of the entry's plugins. Class plugins are called for one row of each
// class, with their ordinary code: rows of a class get equal verdicts and scores, and every
// normalizer depends on the set of scores only, not on their number or place.
#pragma once

#include <array>
#include <cstdint>
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

class ClassDecision {
  using Class = ScoreClasses::Class;

  struct Refusal {
    Class at;
    Status status;
  };
  // A class with rows in the window.
  struct Group {
    Class at;
    uint32_t representative;
    size_t population;
    int64_t bonus = 0;
    // Of a winner: what reaches the best total, and the class's best bases by word.
    int32_t winning_base = ScoreClasses::kNoBase;
    const int32_t* best = nullptr;
    const Bitset* best_words = nullptr;  // null: better rows are outside the window
  };

 public:
  // Lists that one decision after another uses, because allocating them takes long.
  struct Buffers {
    std::vector<Group> groups;
    std::vector<Refusal> refusals;
    std::vector<NodeGroup> nodes;
    std::vector<uint32_t> rows;
    std::vector<NodeScore> scores;
    std::vector<Class> refused;
    Bitset feasible;  // of pods that compete with nominated ones
  };

  // `entry` is up to date with the framework's snapshot. No other decision may use `buffers`
  // meanwhile.
  ClassDecision(const Framework& framework, const VerdictEntry& entry, const Pod& pod,
                Buffers* buffers)
      : framework_(framework),
        entry_(entry),
        classes_(entry.classes()),
        pod_(pod),
        cycle_{framework, entry, pod, CycleState(~entry.uncached_plugins(), &entry.derived())},
        buffers_(*buffers) {}

  // Finds the feasible rows. False: the plain form must decide.
  bool Filter();

  // Adds the PreFilter state that Reserve needs on the chosen node. False: the plain form must
  // decide.
  bool PrepareReserve() { return cycle_.PrepareReserve(); }
  // The CycleState of the plugins that ran. Moves it out: call it last.
  CycleState TakeState();
  const Bitset& feasible() const { return *feasible_; }
  SearchWindow FindWindow(size_t start, size_t want) const {
    return stowage::FindWindow(feasible(), num_feasible_, start, want);
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
  // A row that has the best total, and its place in the window's list of feasible rows.
  struct Tie {
    uint32_t position;
    size_t row;
  };

  bool RunFilters();
  bool DoClassPluginsFilterLast() const;
  void RemoveRefused();
  bool RemoveRefusedNominated();
  bool FilterNominated(Bitset* feasible);
  void CountPopulations(const SearchWindow& window);
  Status AddBonuses();
  Status AddColumn(size_t column);
  Status AddUncachedPlugins();
  Status AddScores(const PluginAt<ScorePlugin>& plugin, const CycleState& state);
  // Whether the window contains all rows of the classes that pass.
  bool ContainsPassingClasses(const SearchWindow& window) const {
    return window.evaluated == entry_.feasible().size() && !has_nominated_row_;
  }
  int32_t BestIn(const Group& group, size_t word, uint64_t bits) const;
  int64_t BestOf(const SearchWindow& window) const;
  void FindWinners(int64_t best);
  void BeginTies(const SearchWindow& window);
  Tie NextTie(uint32_t position);
  size_t FirstTieRow(size_t row, size_t end);
  size_t NextTieWord(size_t word) const;
  uint64_t TiesIn(size_t word);
  void Rank(const SearchWindow& window, std::vector<ScoredNode>* ranking) const;

  const Framework& framework_;
  const VerdictEntry& entry_;
  const ScoreClasses& classes_;
  const Pod& pod_;
  CachedCycle cycle_;
  Buffers& buffers_;
  std::vector<Group>& groups_ = buffers_.groups;  // the classes that pass
  std::vector<Refusal>& refusals_ = buffers_.refusals;
  const NominatedVerdicts* nominated_ = nullptr;  // unused without nominations
  size_t num_feasible_ = 0;
  const Bitset* feasible_ = &entry_.feasible();
  // Whether rows of classes that pass are refused because of nominated pods.
  bool has_nominated_row_ = false;
  std::vector<NodeScore>& scores_ = buffers_.scores;  // by group, of the current plugin
  std::span<Group> winners_;                          // groups that may reach the best total
  size_t rank_of_start_ = 0;                          // rank of the window's first feasible row
  uint32_t wrap_ = 0;                                 // the position where the list wraps around
  Tie end_ = {};            // the list's end; its row is the end before wrap_
  size_t wrapped_end_ = 0;  // the end row after the list has wrapped around
  size_t known_word_ = 0;   // the word of known_ties_
  uint64_t known_ties_ = 0;
};

}  // namespace stowage
