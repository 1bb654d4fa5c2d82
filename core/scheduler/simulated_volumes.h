// SimulatedVolumes plays the controllers that pods with claims wait for: it makes the claims of
// ephemeral volumes, binds claims to volumes, and makes volumes for those that ask for it.
//
// A new volume can be reached from where its first pod's node is: from the nodes with that node's
// values of the driver's topology keys (CSINode), or where there are none, with its zone. A volume
// that was made before any pod came can be reached from everywhere.
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
  // Both outlive it.
  SimulatedVolumes(const ObjectStore& store, WatchSink& watch) : store_(store), watch_(watch) {}

  // Of everything that comes in or is written. No simulated write is older.
  void Observe(const AnyObject& object);
  // Does what is to be done since the last time.
  void Sync();

  // Puts `text` in the place of the stored volume or claim that it is a newer state of. Gives its
  // text under its new version; nullopt where the stored one is another by now.
  std::optional<std::string> Update(ObjectKind kind, std::string text);

  // What the simulation made up, with the controller that would have made it. A claim and a volume:
  // the controller provisioned or bound the volume. A claim and an empty volume: it created the
  // claim. Deleted claims and volumes are left out.
  std::map<std::pair<ObjectKey, Symbol>, Symbol> MadeUp() const;

 private:
  std::optional<std::string> Put(ObjectKind kind, std::string text);
  void MakeEphemeralClaims(const Pod& pod);
  // The name of the class for claims that name none; empty when there is none.
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
  std::set<ObjectKey> changed_claims_;               // themselves, or what is set aside for them
  std::set<ObjectKey> waiting_claims_;               // for a volume or a class, not for a pod
  std::vector<PodRef> pods_with_ephemeral_volumes_;  // that came since the last Sync
  std::map<std::pair<ObjectKey, Symbol>, Symbol> made_up_;
};

}  // namespace stowage
