// The plugins of the registry one by one, and the comparison of their two forms: node by node and
// over the 64 nodes of a chunk.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/config/types.h"
#include "core/framework/handle.h"
#include "core/framework/registry.h"

namespace stowage {

// One built plugin and its name.
struct PluginSubject {
  std::string name;
  PluginArgs args;
  PluginInstance instance;
};

// All plugins of the registry that filter or score, in its order, with the profile's arguments, or
// the defaults where the profile has none.
std::vector<std::unique_ptr<PluginSubject>> BuildSubjects(const Registry& registry,
                                                          const KubeSchedulerProfile& profile,
                                                          const Features& features, Handle& handle);

// The number of comparisons, by plugin.
struct FormsTally {
  std::map<std::string, size_t> refusals;
  std::map<std::string, size_t> scores;
  // How often a plugin knew what it would say about all nodes.
  std::map<std::string, size_t> known;
};

// What ScorePlugin::AddScores adds for the candidates, by offset; nullopt if the plugin has no such
// form for the pod, or a score is out of range.
std::optional<ChunkScores> AddedScores(const ScorePlugin& plugin, const CycleState& state,
                                       const Pod& pod, const NodeChunk& chunk, uint64_t candidates);
// The same for any number of neighbours, 64 candidates a word.
std::optional<std::vector<int64_t>> AddedScores(const ScorePlugin& plugin, const CycleState& state,
                                                const Pod& pod, const NodeChunk& chunk,
                                                std::span<const uint64_t> candidates);

// Runs the plugin on random candidates of every chunk in both forms. Returns the first difference
// as text, empty if there is none.
std::string CompareForms(const PluginSubject& subject, const Pod& pod, const Snapshot& snapshot,
                         Rng* rng, FormsTally* tally);

}  // namespace stowage
