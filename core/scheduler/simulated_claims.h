// SimulatedClaims plays the API server and its controllers for ResourceClaims: it creates the
// claims of templates, answers the scheduler's writes, and takes claims back from pods and pod
// groups that are gone.
//
// A claim that was created for a pod is deleted with it. Any other claim loses the pod's
// reservation, and after the last one its allocation. With DRAWorkloadResourceClaims a claim of a
// pod group is created once for the group, and is taken back with the group in the same way.
// Counterparts: pkg/controller/resourceclaim and the API server's registry of resourceclaims.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/objects.h"
#include "core/config/features.h"
#include "core/framework/api_client.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/watch_sink.h"

namespace stowage {

// Stores a pod that a controller has changed, as a newer version.
class PodWriter {
 public:
  virtual ~PodWriter() = default;
  virtual void PutPod(std::shared_ptr<Pod> pod) = 0;
};

class SimulatedClaims final : public RemovalObserver {
 public:
  // `store`, `watch` and `features` must outlive it.
  SimulatedClaims(ObjectStore& store, WatchSink& watch, const Features& features)
      : store_(store), watch_(watch), features_(features) {
    store.set_removal_observer(this);
  }

  void set_pod_writer(PodWriter* pods) { pods_ = pods; }

  // Takes the unfinished work and the resource versions of another one.
  void CopyStateFrom(const SimulatedClaims& other) {
    latest_version_ = other.latest_version_;
    changed_pods_ = other.changed_pods_;
    waiting_pods_ = other.waiting_pods_;
    // Copied as a whole, because the code to assign pods one by one is large.
    removed_pods_ = std::vector<Pod>(other.removed_pods_);
    removed_groups_ = other.removed_groups_;
  }
  // Whether the request is about ResourceClaims.
  static bool Serves(const ApiRequest& request);

  // Call for every object that arrives or is written. Simulated writes get later resource versions.
  void Observe(const AnyObject& object);
  void OnPodRemoved(const Pod& pod) override;
  void OnPodGroupRemoved(const PodGroup& group) override;
  // Handles all changes since the last call.
  void Sync() {
    bool has_changes = !removed_pods_.empty() || !changed_pods_.empty() || !removed_groups_.empty();
    if (has_changes) HandleChanges();
  }
  // Answers a request of the scheduler.
  ApiResponse Answer(const ApiRequest& request, Instant now);

 private:
  void HandleChanges();
  // Stores a new state of a claim, and returns its text.
  std::string Put(std::string text);
  ApiResponse Create(std::string_view namespace_, std::string text, Instant now);
  ApiResponse Replace(const ResourceClaim& stored, const std::string& text);
  ApiResponse RemoveReservation(const ResourceClaim& stored, std::string_view patch);
  void MakeClaims(const Pod& pod);
  // False if the template, or the pod's group, is missing.
  bool MakeClaim(const Pod& pod, const PodResourceClaim& entry, Symbol* name);
  void Release(const Pod& pod);
  // Takes the claim back from the pod or pod group with this uid.
  void ReleaseClaim(const ObjectKey& key, const Symbol& consumer);
  std::shared_ptr<const ResourceClaim> Get(const ObjectKey& key) const;

  ObjectStore& store_;
  WatchSink& watch_;
  const Features& features_;
  PodWriter* pods_ = nullptr;
  int64_t latest_version_ = 0;
  std::set<ObjectKey> changed_pods_;    // with claims of templates
  std::set<ObjectKey> waiting_pods_;    // for a template, or for their group
  std::vector<Pod> removed_pods_;       // with claims
  std::set<ObjectKey> removed_groups_;  // by namespace and, instead of the name, uid
};

}  // namespace stowage
