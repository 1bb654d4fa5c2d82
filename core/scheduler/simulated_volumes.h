// SimulatedVolumes plays the controllers that pods with claims wait for: it creates the claims of
// ephemeral volumes, binds claims to volumes, and provisions volumes for the claims that request
// it.
//
// A new volume can be reached from where its first pod's node is: from the nodes with that node's
// values of the driver's topology keys (CSINode), or, without such keys, from its zone. A volume
// that was provisioned before any pod came can be reached from everywhere.
// Counterparts: pkg/controller/volume/{persistentvolume,ephemeral} and external-provisioner.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/decode/objects.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/watch_sink.h"

namespace stowage {

class SimulatedVolumes {
 public:
  // `store` and `watch` must outlive it.
  SimulatedVolumes(const ObjectStore& store, WatchSink& watch) : store_(store), watch_(watch) {}

  // Takes the unfinished work and the resource versions of another one.
  void CopyStateFrom(const SimulatedVolumes& other) {
    latest_version_ = other.latest_version_;
    changed_claims_ = other.changed_claims_;
    waiting_claims_ = other.waiting_claims_;
    pods_with_ephemeral_volumes_ = other.pods_with_ephemeral_volumes_;
    created_objects_ = other.created_objects_;
  }
  // Call for every object that arrives or is written. Simulated writes get later resource versions.
  void Observe(const AnyObject& object);
  // Handles all changes since the last call.
  void Sync();

  // Replaces the stored volume or claim by `text`, a newer state of it. Returns the text with its
  // new version; nullopt if the stored object has changed since.
  std::optional<std::string> Update(ObjectKind kind, std::string text);

  // The objects that the simulation created, with the controller that would have created each. A
  // claim and a volume: the controller provisioned or bound the volume. A claim and an empty
  // volume: it created the claim. Deleted claims and volumes are omitted.
  std::map<std::pair<ObjectKey, Symbol>, Symbol> CreatedObjects() const;

 private:
  void NoteChanged(const PersistentVolumeClaim& claim);
  std::optional<std::string> Put(ObjectKind kind, std::string text);
  void MakeEphemeralClaims(const Pod& pod);
  // The name of the class for claims that name none; empty if there is no default class.
  Symbol DefaultClass() const;
  void SyncClaim(const PersistentVolumeClaim& claim);
  PersistentVolumeRef FindVolume(const PersistentVolumeClaim& claim) const;
  PersistentVolumeRef FindFreeVolume(const PersistentVolumeClaim& claim) const;
  void Bind(const PersistentVolumeClaim& claim, const PersistentVolume& volume, const Symbol& by);
  void Provision(const PersistentVolumeClaim& claim, const StorageClass& storage_class,
                 const Node* node);

  const ObjectStore& store_;
  WatchSink& watch_;
  int64_t latest_version_ = 0;
  std::set<ObjectKey> changed_claims_;  // the claim itself changed, or the volume reserved for it
  std::set<ObjectKey> waiting_claims_;  // waiting for a volume or a class, not for a pod
  std::vector<PodRef> pods_with_ephemeral_volumes_;  // arrived since the last Sync
  std::map<std::pair<ObjectKey, Symbol>, Symbol> created_objects_;
};

}  // namespace stowage
