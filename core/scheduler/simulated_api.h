// SimulatedApi plays the API server and its controllers inside the engine: writes succeed at once,
// a bound pod runs, a deleted one vanishes (or terminates), a claim gets its volume. What becomes
// of them comes back as objects, as a watch brings them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "core/api/object_key.h"
#include "core/base/instant.h"
#include "core/framework/api_client.h"
#include "core/scheduler/record_log.h"
#include "core/scheduler/simulated_volumes.h"
#include "core/scheduler/watch_sink.h"

namespace stowage {

class SimulatedApi final : public ApiClient {
 public:
  // `volumes` is null where writes of volumes and claims are left to the host.
  SimulatedApi(WatchSink& watch, RecordLog& records, SimulatedVolumes* volumes,
               bool graceful_deletion)
      : watch_(watch),
        records_(records),
        volumes_(volumes),
        graceful_deletion_(graceful_deletion) {}

  void set_now(Instant now) {
    if (now_ != now) first_conditions_.clear();
    now_ = now;
  }
  // Every pod that comes in from outside: no simulated pod starts before any of them, and no
  // simulated write is older.
  void Observe(const Pod& pod);

  // For a pod that a plugin or an extender has bound.
  void BindIfUnbound(const Pod& pod, const Symbol& node);

  Task<ApiResponse> Bind(Calls& calls, const Pod& pod, const Symbol& node) override;
  Task<ApiResponse> PatchPodStatus(Calls& calls, const Pod& pod,
                                   const PodStatusPatch& patch) override;
  Task<ApiResponse> DeletePod(Calls& calls, const Pod& pod) override;
  // Updates of volumes and claims.
  Task<ApiResponse> Send(Calls& calls, const ApiRequest& request) override;
  void RecordEvent(const Pod& pod, const Symbol& scheduler_name, PodEvent event) override;

 private:
  // The pod as it is, if it is still the one that was meant.
  PodRef Current(const Pod& pod) const;
  void Put(std::shared_ptr<Pod> pod);
  ApiResponse Update(const ApiRequest& request);
  void PutBound(const Pod& current, const Symbol& node);

  WatchSink& watch_;
  RecordLog& records_;
  SimulatedVolumes* volumes_;
  bool graceful_deletion_;
  Instant now_;
  Instant latest_start_;
  int64_t latest_version_ = 0;
  // Of a pod that had none before it was bound at `now_`; empty: to be made.
  SharedList<PodCondition> first_conditions_;
};

}  // namespace stowage
