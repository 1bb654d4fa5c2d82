#include "tests/support/changing_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/support/from_json.h"

namespace stowage {
namespace {

constexpr size_t kTemplates = 5;
constexpr size_t kUndemandingTemplates = 2;
// Claims that pods of one template name, one each; some pods share one.
constexpr size_t kOwnClaims = 8;

std::string NodeName(size_t index) { return "n" + std::to_string(index); }

template <typename T>
std::shared_ptr<const T> Share(T object) {
  return std::make_shared<const T>(std::move(object));
}

}  // namespace

ChangingCluster::ChangingCluster(uint64_t seed, size_t max_nodes, SchedulingFixture* fixture)
    : random_(seed), fixture_(fixture), node_count_(1 + random_.rng().Below(max_nodes)) {
  for (size_t index = 0; index < node_count_; ++index) PutNode(index);
  PutNamespaces();
  for (size_t index = 0; index < kTemplates; ++index) {
    bool is_undemanding = index < kUndemandingTemplates;
    templates_.push_back(is_undemanding ? random_.UndemandingPod("template")
                                        : random_.RandomPod("template"));
    templates_.back().spec.node_name = Symbol();
  }
  for (size_t change = 0; change < 60; ++change) PutStorage();
  for (const char* claim : {"shared", "own"}) {
    templates_.push_back(random_.UndemandingPod("template"));
    templates_.back().spec.volumes.push_back(
        MakeVolume(fmt::format(R"("persistentVolumeClaim":{{"claimName":"{}"}})", claim)));
  }
}

void ChangingCluster::Change() {
  switch (rng().Below(12)) {
    case 0:
      PutNode(rng().Below(node_count_));  // taints, labels, cordons, images
      break;
    case 1:
      PutNode(node_count_++);
      break;
    case 2:
      RemoveSomeNode();
      break;
    case 3:
      RemoveSomePod();
      break;
    case 4:
      ToggleNomination();
      break;
    case 5:
      TerminateSomePod();
      break;
    case 6:
      PutWorkload();
      break;
    case 7:
      PutNamespaces();
      break;
    case 8:
      PutStorage();
      break;
    default:
      break;
  }
}

Pod ChangingCluster::NextPod() {
  if (!preemptors_.empty() && random_.Chance(2)) {
    Pod pod = std::move(preemptors_.back());
    preemptors_.pop_back();
    return pod;
  }
  // A series of pods from one template, which OpportunisticBatching handles.
  if (random_.Chance(2)) template_ = rng().Below(templates_.size());
  Pod pod = templates_[template_];
  if (template_ + 1 == templates_.size()) {
    Volume& volume = pod.spec.volumes.Mutable().back();
    volume.persistent_volume_claim->claim_name =
        Symbol(fmt::format("own-{}", rng().Below(kOwnClaims)));
  }
  std::string name = "pod-" + std::to_string(++pod_count_);
  pod.metadata.name = Symbol(name);
  pod.metadata.uid = Symbol(name);
  fixture_->store().Put(Share(pod));
  return pod;
}

void ChangingCluster::CarryOut(const Pod& pod, const ScheduleResult& result) {
  bool was_nominated = !pod.status.nominated_node_name.empty();
  fixture_->nominator().DeleteNominatedPod(pod.metadata.uid);
  if (result.status.IsSuccess()) {
    Place(pod, result.host);
  } else if (!was_nominated && result.preemption && result.preemption->selected) {
    const PreemptionVictims& victims = *result.preemption->selected;
    for (const PodInfoRef& victim : victims.pods) {
      ObjectKey key = ObjectKey::Of(victim->pod->metadata);
      fixture_->RemovePod(fixture_->store().GetPod(key.namespace_, key.name));
      std::erase(placed_, key);
    }
    Nominate(pod, victims.node);
  } else {
    fixture_->store().Remove(ObjectKind::kPod, ObjectKey::Of(pod.metadata));
  }
}

void ChangingCluster::Place(const Pod& pod, const Symbol& node) {
  Pod running = pod;
  running.status.nominated_node_name = Symbol();
  running.status.start_time = Instant{static_cast<int64_t>(rng().Below(4)), 0};
  placed_.push_back(ObjectKey::Of(pod.metadata));
  fixture_->PlacePod(std::move(running), node);
}

void ChangingCluster::Nominate(Pod pod, const Symbol& node) {
  pod.status.nominated_node_name = node;
  fixture_->store().Put(Share(pod));
  fixture_->nominator().AddNominatedPod(MakePodInfo(Share(pod), fixture_->features()), node);
  preemptors_.push_back(std::move(pod));
}

std::string ChangingCluster::SomeNode() { return NodeName(rng().Below(node_count_)); }

void ChangingCluster::PutNode(size_t index) {
  fixture_->PutNode(random_.RandomNode(NodeName(index)));
}

void ChangingCluster::RemoveSomeNode() {
  Symbol name(SomeNode());
  if (fixture_->snapshot().NumNodes() > 1 && fixture_->store().GetNode(name) != nullptr) {
    fixture_->RemoveNode(name);
  }
}

void ChangingCluster::RemoveSomePod() {
  if (placed_.empty()) return;
  std::swap(placed_[rng().Below(placed_.size())], placed_.back());
  fixture_->RemovePod(fixture_->store().GetPod(placed_.back().namespace_, placed_.back().name));
  placed_.pop_back();
}

void ChangingCluster::TerminateSomePod() {
  if (placed_.empty()) return;
  const ObjectKey& key = placed_[rng().Below(placed_.size())];
  Pod changed = *fixture_->store().GetPod(key.namespace_, key.name);
  changed.metadata.deletion_timestamp = Instant{1, 0};
  fixture_->UpdatePod(std::move(changed));
}

// Adds, moves or deletes a nominated pod of another scheduler.
void ChangingCluster::ToggleNomination() {
  Symbol uid("nominee");
  bool is_nominated = !fixture_->nominator().NodeOf(uid).empty();
  if (is_nominated && rng().Below(3) > 0) {
    fixture_->nominator().AddNominatedPod(nominee_, Symbol(SomeNode()));
    return;
  }
  if (is_nominated) {
    fixture_->nominator().DeleteNominatedPod(uid);
    fixture_->store().Remove(ObjectKind::kPod, {Symbol("default"), uid});
    return;
  }
  Pod nominee = random_.RandomPod("nominee");
  nominee.metadata.uid = uid;
  nominee.metadata.namespace_ = Symbol("default");
  nominee.spec.node_name = Symbol();
  PodRef pending = Share(std::move(nominee));
  fixture_->store().Put(pending);
  nominee_ = MakePodInfo(pending, fixture_->features());
  fixture_->nominator().AddNominatedPod(nominee_, Symbol(SomeNode()));
}

void ChangingCluster::PutNamespaces() {
  for (const char* name : {"default", "other"}) {
    fixture_->store().Put(Share(random_.RandomNamespace(name)));
  }
}

void ChangingCluster::PutWorkload() {
  ObjectStore& store = fixture_->store();
  switch (rng().Below(4)) {
    case 0:
      store.Put(Share(random_.RandomService("s")));
      break;
    case 1:
      store.Put(Share(random_.RandomBudget("b")));
      break;
    case 2:
      store.Remove(ObjectKind::kService, {Symbol("default"), Symbol("s")});
      break;
    default:
      store.Put(Share(random_.RandomReplicaSet(random_.Chance(2) ? "r0" : "r1")));
  }
}

// Changes one object that a pod with a claim depends on. Mostly the claim "shared" is shared and
// bound, to a volume that is reachable from one zone.
void ChangingCluster::PutStorage() {
  ObjectStore& store = fixture_->store();
  std::string node = SomeNode();
  switch (rng().Below(10)) {
    case 6:
    case 7:
      return PutOwnClaim();
    case 8:
      return PutOwnVolume();
    case 0:
      store.Put(Share(MakePersistentVolume(fmt::format(
          R"({{"metadata":{{"name":"v"}},"spec":{{"csi":{{"driver":"d","volumeHandle":"h{}"}},
              "nodeAffinity":{{"required":{{"nodeSelectorTerms":[{{"matchExpressions":[
                {{"key":"zone","operator":"NotIn","values":["z{}"]}}]}}]}}}}}}}})",
          rng().Below(2), rng().Below(3)))));
      return;
    case 1:
      store.Put(Share(MakePersistentVolumeClaim(fmt::format(
          R"({{"metadata":{{"name":"shared","namespace":"default",
                "annotations":{{"pv.kubernetes.io/bind-completed":"yes"}}}},
              "spec":{{"volumeName":"{}","accessModes":["{}"]}}}})",
          rng().Below(5) == 0 ? "gone" : "v",
          rng().Below(4) == 0 ? "ReadWriteOnce" : "ReadWriteMany"))));
      return;
    case 2:
      store.Put(Share(MakeVolumeAttachment(fmt::format(
          R"({{"metadata":{{"name":"attached-{0}"}},
              "spec":{{"attacher":"d","nodeName":"{0}","source":{{"persistentVolumeName":"v"}}}}}})",
          node))));
      return;
    case 3:
      store.Remove(ObjectKind::kVolumeAttachment, {Symbol(), Symbol("attached-" + node)});
      return;
    default:
      store.Put(Share(MakeCsiNode(fmt::format(
          R"({{"metadata":{{"name":"{}"}},"spec":{{"drivers":[
                {{"name":"d","allocatable":{{"count":{}}}}}]}}}})",
          node, rng().Below(4)))));
  }
}

// A claim that waits for a volume of a class, or has one, or whose volume is being provisioned.
void ChangingCluster::PutOwnClaim() {
  size_t number = rng().Below(kOwnClaims);
  bool is_bound = random_.Chance(3);
  bool is_selected = !is_bound && random_.Chance(8);
  std::string annotation =
      is_bound      ? R"("pv.kubernetes.io/bind-completed":"yes")"
      : is_selected ? fmt::format(R"("volume.kubernetes.io/selected-node":"{}")", SomeNode())
                    : "";
  fixture_->store().Put(Share(MakePersistentVolumeClaim(fmt::format(
      R"({{"metadata":{{"name":"own-{}","namespace":"default","annotations":{{{}}}}},
          "spec":{{"volumeName":"{}","accessModes":["ReadWriteOnce"],"storageClassName":"{}",
            "resources":{{"requests":{{"storage":"{}Gi"}}}}}}}})",
      number, annotation, is_bound ? fmt::format("v{}", rng().Below(kOwnClaims)) : "",
      random_.Chance(2) ? "provisioned" : "waiting", 1 + rng().Below(2)))));
}

// A volume of the class "waiting", free or reserved, of one zone; or one of the classes.
void ChangingCluster::PutOwnVolume() {
  ObjectStore& store = fixture_->store();
  if (random_.Chance(4)) {
    bool is_waiting = random_.Chance(2);
    std::string_view topologies = R"("allowedTopologies":[{"matchLabelExpressions":[
        {"key":"zone","values":["z0","z1"]}]}],)";
    store.Put(Share(MakeStorageClass(fmt::format(
        R"({{"metadata":{{"name":"{}"}},{}"provisioner":"{}",
            "volumeBindingMode":"WaitForFirstConsumer"}})",
        is_waiting ? "waiting" : "provisioned", random_.Chance(2) ? topologies : "",
        is_waiting ? "kubernetes.io/no-provisioner" : "d"))));
    return;
  }
  size_t number = rng().Below(kOwnClaims);
  std::string reserved = random_.Chance(4) ? fmt::format(R"("claimRef":{{"namespace":"default",
      "name":"own-{}"}},)",
                                                         rng().Below(kOwnClaims))
                                           : "";
  store.Put(Share(MakePersistentVolume(fmt::format(
      R"({{"metadata":{{"name":"v{0}"}},"status":{{"phase":"Available"}},"spec":{{{1}
          "storageClassName":"waiting","accessModes":["ReadWriteOnce"],
          "capacity":{{"storage":"{2}Gi"}},"csi":{{"driver":"d","volumeHandle":"own-{3}"}},
          "nodeAffinity":{{"required":{{"nodeSelectorTerms":[{{"matchExpressions":[
            {{"key":"zone","operator":"In","values":["z{4}"]}}]}}]}}}}}}}})",
      number, reserved, 1 + rng().Below(2), rng().Below(kOwnClaims), rng().Below(3)))));
}

}  // namespace stowage
