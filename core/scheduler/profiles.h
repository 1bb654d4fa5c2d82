// Profiles maps scheduler names, as pods request them, to the scheduler's profiles.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

class Profiles {
 public:
  using Map = std::map<Symbol, ProfileRuntime>;

  void Add(ProfileRuntime profile) {
    Symbol name = profile.framework->profile_name();
    profiles_.emplace(std::move(name), std::move(profile));
  }
  // Takes the state of the same profiles. Cached verdicts are not taken: they are found again.
  // `rng` draws for ties.
  void CopyStateFrom(const Profiles& other, Rng* rng) {
    for (auto& [name, profile] : profiles_) {
      const ProfileRuntime& from = other.profiles_.at(name);
      profile.framework->RestoreState(from.framework->SaveState());
      profile.batch.CopyStateFrom(from.batch, rng);
    }
  }
  // What CopyStateFrom takes over, and what belongs to tasks under way.
  struct SavedProfile {
    Framework::PluginStates plugins;
    OpportunisticBatch batch;
    Framework::PluginStates held = {};
  };
  // The states in order of scheduler name. Those of tasks under way are moved out.
  std::vector<SavedProfile> Save() {
    std::vector<SavedProfile> saved;
    for (auto& [name, profile] : profiles_) {
      saved.push_back({profile.framework->SaveState(), profile.batch});
      profile.framework->SwapTaskStates(&saved.back().held);
    }
    return saved;
  }
  void Restore(std::vector<SavedProfile> saved) {
    auto from = saved.begin();
    for (auto& [name, profile] : profiles_) {
      profile.framework->RestoreState(from->plugins);
      profile.framework->SwapTaskStates(&from->held);
      profile.batch = std::move((from++)->batch);
    }
  }
  // Drops all cached verdicts.
  void ForgetVerdicts() {
    for (auto& [name, profile] : profiles_) profile.verdicts->Forget();
  }
  // The profile of a pod's spec.schedulerName, which must exist (EventHandlers::IsResponsibleFor).
  ProfileRuntime& Of(const Pod& pod) {
    auto found = profiles_.find(pod.spec.scheduler_name);
    CHECK(found != profiles_.end());
    return found->second;
  }
  void set_now(Instant now) {
    for (auto& [name, profile] : profiles_) profile.framework->set_now(now);
  }

  // In order of scheduler name.
  Map::const_iterator begin() const { return profiles_.begin(); }
  Map::const_iterator end() const { return profiles_.end(); }

 private:
  Map profiles_;
};

}  // namespace stowage
