// SimulatedApi plays the API server and its controllers inside the engine: writes succeed at once,
// a bound pod runs, a deleted pod vanishes (or terminates), and a claim gets its volume. The
// results come back as objects, as a watch would deliver them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/api/object_key.h"
#include "core/base/instant.h"
#include "core/framework/api_client.h"
#include "core/scheduler/record_log.h"
#include "core/scheduler/simulated_claims.h"
#include "core/scheduler/simulated_volumes.h"
#include "core/scheduler/watch_sink.h"

namespace stowage {

class SimulatedApi final : public ApiClient, public PodWriter {
 public:
  // The parts that play controllers; null: the host handles writes of these kinds.
  struct Controllers {
    SimulatedVolumes* volumes = nullptr;
    SimulatedClaims* claims = nullptr;
  };

  SimulatedApi(WatchSink& watch, RecordLog& records, Controllers controllers,
               bool graceful_deletion)
      : watch_(watch),
        records_(records),
        controllers_(controllers),
        graceful_deletion_(graceful_deletion) {
    if (controllers.claims != nullptr) controllers.claims->set_pod_writer(this);
  }

  void set_now(Instant now) {
    if (now_ != now) first_conditions_.clear();
    now_ = now;
  }
  // Takes the time and the resource versions of another one.
  void CopyStateFrom(const SimulatedApi& other) {
    now_ = other.now_;
    latest_start_ = other.latest_start_;
    latest_version_ = other.latest_version_;
    first_conditions_ = other.first_conditions_;
  }
  // Call for every pod that arrives from outside: simulated pods start after all of them, and
  // simulated writes get later resource versions.
  void Observe(const Pod& pod);

  // Until EndLoan, Bind may turn `assumed` into the bound pod instead of a copy of `pod`: only its
  // node distinguishes the two.
  void Lend(std::shared_ptr<Pod> assumed, const Pod* pod) {
    lent_ = std::move(assumed);
    lent_for_ = pod;
  }
  void EndLoan() { lent_ = nullptr; }
  // Binds a pod that a plugin or an extender has bound, if it is still unbound here.
  void BindIfUnbound(const Pod& pod, const Symbol& node);

  Task<ApiResponse> Bind(Calls& calls, const Pod& pod, const Symbol& node) override;
  Task<ApiResponse> PatchPodStatus(Calls& calls, const Pod& pod,
                                   const PodStatusPatch& patch) override;
  Task<ApiResponse> PatchPodGroupStatus(Calls& calls, const PodGroup& group,
                                        const PodCondition& condition) override;
  Task<ApiResponse> DeletePod(Calls& calls, const Pod& pod) override;
  // Handles writes of volumes, their claims, and ResourceClaims.
  Task<ApiResponse> Send(Calls& calls, const ApiRequest& request) override;
  void RecordEvent(const Pod& pod, const Symbol& scheduler_name, PodEvent event) override;
  void PutPod(std::shared_ptr<Pod> pod) override { Put(std::move(pod)); }

 private:
  // The current pod, if it still has the uid of `pod`; else null.
  PodRef Current(const Pod& pod) const;
  void Put(std::shared_ptr<Pod> pod);
  ApiResponse Update(const ApiRequest& request);
  void PutBound(const Pod& current, const Symbol& node);

  WatchSink& watch_;
  RecordLog& records_;
  Controllers controllers_;
  bool graceful_deletion_;
  Instant now_;
  Instant latest_start_;
  int64_t latest_version_ = 0;
  // The conditions of a pod without any that is bound at `now_`, built on first use.
  SharedList<PodCondition> first_conditions_;
  std::shared_ptr<Pod> lent_;  // null outside a loan
  const Pod* lent_for_ = nullptr;
  Symbol last_bound_;  // the uid of the pod that Bind has bound, until BindIfUnbound follows
};

}  // namespace stowage
