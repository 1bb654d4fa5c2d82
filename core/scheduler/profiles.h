// Profiles maps scheduler names, as pods request them, to the scheduler's profiles.
#pragma once

#include <map>
#include <utility>

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
      profile.framework->CopyStateFrom(*from.framework);
      profile.batch.CopyStateFrom(from.batch, rng);
    }
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
