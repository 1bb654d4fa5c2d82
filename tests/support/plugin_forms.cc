#include "tests/support/plugin_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/config/defaults.h"

namespace stowage {
namespace {

// One plugin's cycle of one pod, up to Filter and up to Score.
class FormsOfPlugin {
 public:
  FormsOfPlugin(const PluginSubject& subject, const Pod& pod, FormsTally* tally)
      : subject_(subject), plugin_(subject.instance), pod_(pod), tally_(tally) {}

  void Prepare(NodeList nodes, NodeList candidates) {
    filters_ = plugin_.filter != nullptr;
    if (plugin_.pre_filter != nullptr) {
      PreFilterResult ignored;
      filters_ &= plugin_.pre_filter->PreFilter(state_, pod_, nodes, &ignored).IsSuccess();
    }
    scores_ = plugin_.score != nullptr && !candidates.empty();
    if (scores_ && plugin_.pre_score != nullptr) {
      scores_ = plugin_.pre_score->PreScore(state_, pod_, candidates).IsSuccess();
    }
  }

  // Compares what the plugin says of all nodes of the table with the nodes' forms.
  std::string CompareAll(const NodeTable& table) {
    const NodeChunk all = table.All();
    bool passes_all = filters_ && plugin_.filter->PassesAll(state_, pod_, table);
    bool scores_nothing = scores_ && plugin_.score->ScoresNothingOn(state_, table);
    if (passes_all || scores_nothing) ++tally_->known[subject_.name];
    std::vector<uint64_t> rows((table.size() - 1) / NodeTable::kChunkRows + 1);
    for (size_t word = 0; word < rows.size(); ++word) rows[word] = all.Part(word).all();
    std::optional<std::vector<int64_t>> added;
    if (scores_) added = AddedScores(*plugin_.score, state_, pod_, all, rows);
    for (size_t row = 0; row < table.size(); ++row) {
      const NodeInfo& node = table.info(row);
      if (passes_all && !plugin_.filter->Filter(state_, pod_, node).IsSuccess()) {
        return subject_.name + " does not let all nodes pass";
      }
      if (!scores_nothing && !added) continue;
      Result<int64_t, Status> score = plugin_.score->Score(state_, pod_, node);
      if (!score.ok() || *score != (added ? (*added)[row] : 0)) {
        return subject_.name + " scores a node of the whole table differently";
      }
    }
    return "";
  }

  std::string Compare(const NodeChunk& chunk, uint64_t candidates) {
    std::string difference = filters_ ? CompareFilter(chunk, candidates) : "";
    if (difference.empty() && scores_) difference = CompareScore(chunk, candidates);
    return difference;
  }

 private:
  std::string CompareFilter(const NodeChunk& chunk, uint64_t candidates) {
    ChunkStatuses statuses;
    uint64_t passed = plugin_.filter->FilterChunk(state_, pod_, chunk, candidates, &statuses);
    if ((passed & ~candidates) != 0) return subject_.name + " lets pass what it was not asked for";
    for (; candidates != 0; candidates &= candidates - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(candidates));
      Status want = plugin_.filter->Filter(state_, pod_, chunk.node(offset));
      bool has_passed = (passed >> offset & 1) == 1;
      if (!want.IsSuccess()) ++tally_->refusals[subject_.name];
      if (has_passed == want.IsSuccess() && (has_passed || statuses[offset] == want)) continue;
      return fmt::format("{} filters {} as \"{}\", its chunk form as \"{}\"", subject_.name,
                         chunk.node(offset).name().view(), want.Message(),
                         has_passed ? "" : statuses[offset].Message());
    }
    return "";
  }

  std::string CompareScore(const NodeChunk& chunk, uint64_t candidates) {
    ChunkScores scores;
    Status status = plugin_.score->ScoreChunk(state_, pod_, chunk, candidates, &scores);
    std::optional<ChunkScores> added = AddedScores(*plugin_.score, state_, pod_, chunk, candidates);
    if (added && plugin_.score->Normalizer() != nullptr) return subject_.name + " adds raw scores";
    for (; candidates != 0; candidates &= candidates - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(candidates));
      Result<int64_t, Status> want = plugin_.score->Score(state_, pod_, chunk.node(offset));
      if (!want.ok()) {
        return want.fault() == status ? "" : subject_.name + " fails in one form alone";
      }
      ++tally_->scores[subject_.name];
      if (*want != 0 && plugin_.score->ScoresNothing(state_)) {
        return subject_.name + " scores something";
      }
      if (added && (*want < kMinNodeScore || *want > kMaxNodeScore)) {
        return fmt::format("{} adds {}, which is out of range", subject_.name, *want);
      }
      if (added && (*added)[offset] != *want) {
        return fmt::format("{} scores {}, but adds {}", subject_.name, *want, (*added)[offset]);
      }
      if (status.IsSuccess() && scores[offset] == *want) continue;
      return fmt::format("{} scores {} {}, its chunk form {} {}", subject_.name,
                         chunk.node(offset).name().view(), *want, scores[offset], status.Message());
    }
    return status.IsSuccess() ? "" : subject_.name + " fails in its chunk form alone";
  }

  const PluginSubject& subject_;
  const PluginInstance& plugin_;
  const Pod& pod_;
  FormsTally* tally_;
  CycleState state_;
  bool filters_ = false;
  bool scores_ = false;
};

}  // namespace

std::optional<ChunkScores> AddedScores(const ScorePlugin& plugin, const CycleState& state,
                                       const Pod& pod, const NodeChunk& chunk,
                                       uint64_t candidates) {
  auto scores = AddedScores(plugin, state, pod, chunk, std::span(&candidates, 1));
  if (!scores) return std::nullopt;
  ChunkScores of_chunk{};
  std::ranges::copy(*scores, of_chunk.begin());
  return of_chunk;
}

std::optional<std::vector<int64_t>> AddedScores(const ScorePlugin& plugin, const CycleState& state,
                                                const Pod& pod, const NodeChunk& chunk,
                                                std::span<const uint64_t> candidates) {
  constexpr int32_t kBefore = 1000;
  constexpr int32_t kWeight = 7;
  std::vector<int32_t> totals(candidates.size() * NodeTable::kChunkRows, kBefore);
  if (!plugin.AddScores(state, pod, chunk, candidates, kWeight, totals.data())) return std::nullopt;
  std::vector<int64_t> scores(totals.size());
  ForEachBit(candidates, [&](size_t offset) {
    const int32_t added = totals[offset] - kBefore;
    CHECK(added % kWeight == 0);
    scores[offset] = added / kWeight;
  });
  return scores;
}

std::vector<std::unique_ptr<PluginSubject>> BuildSubjects(const Registry& registry,
                                                          const KubeSchedulerProfile& profile,
                                                          const Features& features,
                                                          Handle& handle) {
  std::vector<std::unique_ptr<PluginSubject>> subjects;
  for (const Registry::Entry& entry : registry.entries()) {
    auto subject = std::make_unique<PluginSubject>();
    subject->name = entry.name;
    subject->args = profile.ArgsOf(entry.name);
    if (std::holds_alternative<std::monostate>(subject->args)) {
      subject->args = NewPluginArgs(entry.name);
      SetArgsDefaults(features, &subject->args);
    }
    Result<PluginInstance, std::string> instance = entry.factory({features, handle, subject->args});
    CHECK(instance.ok());
    subject->instance = instance.Take();
    CHECK(subject->instance.plugin->Name() == entry.name);
    bool judges = subject->instance.filter != nullptr || subject->instance.score != nullptr;
    if (judges) subjects.push_back(std::move(subject));
  }
  return subjects;
}

std::string CompareForms(const PluginSubject& subject, const Pod& pod, const Snapshot& snapshot,
                         Rng* rng, FormsTally* tally) {
  const NodeTable& table = snapshot.table();
  std::vector<uint64_t> candidates;  // by chunk
  std::vector<const NodeInfo*> nodes;
  for (size_t index = 0; index * NodeTable::kChunkRows < table.size(); ++index) {
    NodeChunk chunk = table.Chunk(index);
    candidates.push_back(chunk.all() & rng->Next());
    for (uint64_t rest = candidates.back(); rest != 0; rest &= rest - 1) {
      nodes.push_back(&chunk.node(static_cast<size_t>(std::countr_zero(rest))));
    }
  }
  FormsOfPlugin forms(subject, pod, tally);
  forms.Prepare(snapshot.nodes(), nodes);
  for (size_t index = 0; index < candidates.size(); ++index) {
    std::string difference = forms.Compare(table.Chunk(index), candidates[index]);
    if (!difference.empty()) return difference;
  }
  return table.size() > 0 ? forms.CompareAll(table) : "";
}

}  // namespace stowage
