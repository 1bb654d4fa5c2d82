// Goal: a pod that VolumeBinding rejected is queued when storage for it may be available; and, like
// in the reference, sometimes too often or not often enough.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "core/plugins/volume_binding.h"
#include "tests/support/make_pv.h"
#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

using R = EventResource;

const Pod kPod = MakePod().Name("p").EmptyDir().Pvc("c");

template <typename T>
AnyObject ObjectOf(const T& object) {
  return std::make_shared<const T>(object);
}
template <typename T>
EventObjects Came(const T& object) {
  return {{}, ObjectOf(object)};
}
template <typename T>
EventObjects Changed(const T& before, const T& after) {
  return {ObjectOf(before), ObjectOf(after)};
}

ClusterEvent Added(EventResource resource) { return {resource, action::kAdd}; }
ClusterEvent Updated(EventResource resource) { return {resource, action::kUpdate}; }
ClusterEvent Deleted(EventResource resource) { return {resource, action::kDelete}; }

void Check(std::span<const HintCase> cases) {
  PluginRunner<VolumeBinding> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

StorageClass ClassWith(std::string_view topologies, std::string_view provisioner = "a") {
  return MakeStorageClass(R"({"metadata":{"name":"class"},"provisioner":")" +
                          std::string(provisioner) + R"(","allowedTopologies":)" +
                          std::string(topologies) + "}");
}

TEST(VolumeBindingHints, CoverStorageClasses) {
  const StorageClass any = ClassWith("[]");
  const StorageClass z1 =
      ClassWith(R"([{"matchLabelExpressions":[{"key":"zone","values":["z1"]}]}])");
  const StorageClass z2 =
      ClassWith(R"([{"matchLabelExpressions":[{"key":"zone","values":["z2"]}]}])");
  const HintCase cases[] = {
      {"one comes", Added(R::kStorageClass), kPod, Came(any), "Queue"},
      {"its topologies change", Updated(R::kStorageClass), kPod, Changed(z1, z2), "Queue"},
      {"they come", Updated(R::kStorageClass), kPod, Changed(any, z1), "Queue"},
      {"they go", Updated(R::kStorageClass), kPod, Changed(z1, any), "Queue"},
      {"null is none", Updated(R::kStorageClass), kPod, Changed(ClassWith("null"), any), "Skip"},
      {"anything else changes", Updated(R::kStorageClass), kPod, Changed(any, ClassWith("[]", "b")),
       "Skip"},
      {"the old object is no class", Updated(R::kStorageClass), kPod,
       WithWrongOld(Changed(any, any)), "Queue"},
      {"the new object is no class", Added(R::kStorageClass), kPod, WithWrongNew(Came(any)),
       "Queue"},
      {"one goes", Deleted(R::kStorageClass), kPod, {ObjectOf(any), {}}, "deaf"},
  };
  Check(cases);
}

TEST(VolumeBindingHints, CoverClaimsOfThePod) {
  const PersistentVolumeClaim own = MakePvc("c");
  const PersistentVolumeClaim other = MakePvc("d");
  const PersistentVolumeClaim elsewhere = MakePvc("c").Namespace("other");
  const PersistentVolumeClaim scratch = MakePvc("p-scratch");
  const Pod ephemeral = MakePod().Name("p").EphemeralVolume("scratch");
  const ClusterEvent added = Added(R::kPersistentVolumeClaim);
  const ClusterEvent updated = Updated(R::kPersistentVolumeClaim);
  const HintCase cases[] = {
      {"its own comes", added, kPod, Came(own), "Queue"},
      {"its own changes", updated, kPod, Changed(own, own), "Queue"},
      {"another comes", added, kPod, Came(other), "Skip"},
      {"another changes", updated, kPod, Changed(other, other), "Skip"},
      {"one of its name in another namespace", added, kPod, Came(elsewhere), "Skip"},
      {"of an ephemeral volume", added, ephemeral, Came(scratch), "Queue"},
      {"named like the volume", added, ephemeral, Came(MakePvc("scratch").Obj()), "Skip"},
      {"the pod has none", added, MakePod().Name("p").EmptyDir(), Came(own), "Skip"},
      {"the old object is no claim", updated, kPod, WithWrongOld(Changed(other, other)), "Queue"},
      {"the new object is no claim", added, kPod, WithWrongNew(Came(other)), "Queue"},
      {"its own goes", Deleted(R::kPersistentVolumeClaim), kPod, {ObjectOf(own), {}}, "deaf"},
  };
  Check(cases);
}

TEST(VolumeBindingHints, CoverAnyVolumeAndAnyNode) {
  const PersistentVolume volume = MakePv("pv-a");
  const Node node = MakeNode().Name("n");
  const HintCase cases[] = {
      {"a volume comes", Added(R::kPersistentVolume), kPod, Came(volume), "Queue"},
      {"a volume changes", Updated(R::kPersistentVolume), kPod, Changed(volume, volume), "Queue"},
      {"a volume goes", Deleted(R::kPersistentVolume), kPod, {ObjectOf(volume), {}}, "deaf"},
      {"a node comes", NodeEvent(action::kAdd), kPod, WasAdded(node), "Queue"},
      {"a node's labels change", NodeEvent(action::kUpdateNodeLabel), kPod, WasUpdated(node, node),
       "Queue"},
      {"a node's taints change", NodeEvent(action::kUpdateNodeTaint), kPod, WasUpdated(node, node),
       "deaf"},
      {"a node goes", NodeEvent(action::kDelete), kPod, WasDeleted(node), "deaf"},
      {"a pod goes", AssignedPodEvent(action::kDelete), kPod, WasDeleted(kPod), "deaf"},
  };
  Check(cases);
}

CsiNode CsiNodeWith(std::string_view annotations) {
  return MakeCsiNode(R"({"metadata":{"name":"n","annotations":)" + std::string(annotations) + "}}");
}

TEST(VolumeBindingHints, CoverMigratedPlugins) {
  constexpr std::string_view kKey = R"({"storage.alpha.kubernetes.io/migrated-plugins":)";
  const CsiNode none = CsiNodeWith("{}");
  const CsiNode ebs = CsiNodeWith(std::string(kKey) + R"("kubernetes.io/aws-ebs"})");
  const CsiNode other = CsiNodeWith(R"({"k":"v"})");
  const HintCase cases[] = {
      {"a CSINode comes", Added(R::kCsiNode), kPod, Came(none), "Queue"},
      {"one is migrated", Updated(R::kCsiNode), kPod, Changed(none, ebs), "Queue"},
      {"one is not any more", Updated(R::kCsiNode), kPod, Changed(ebs, none), "Queue"},
      {"nothing changes", Updated(R::kCsiNode), kPod, Changed(ebs, ebs), "Skip"},
      {"another annotation", Updated(R::kCsiNode), kPod, Changed(none, other), "Skip"},
      {"the old object is no CSINode", Updated(R::kCsiNode), kPod,
       WithWrongOld(Changed(none, none)), "Queue"},
      {"the new object is no CSINode", Added(R::kCsiNode), kPod, WithWrongNew(Came(none)), "Queue"},
      {"it goes", Deleted(R::kCsiNode), kPod, {ObjectOf(none), {}}, "deaf"},
  };
  Check(cases);
}

// Goal: a driver that no longer requires capacity checks queues pods that name it inline; claims
// are not considered.
TEST(VolumeBindingHints, CoverDriversOfInlineVolumes) {
  auto driver = [](std::string_view spec) {
    return MakeCsiDriver(R"({"metadata":{"name":"example.com"},"spec":)" + std::string(spec) + "}");
  };
  auto naming = [](std::string_view name) {
    VolumeSource source;
    source.csi.emplace().driver = Symbol(name);
    return MakePod().Name("p").Pvc("c").InlineVolume(source).Obj();
  };
  const CsiDriver asking = driver(R"({"storageCapacity":true})");
  const CsiDriver content = driver(R"({"storageCapacity":false})");
  const CsiDriver silent = driver("{}");
  const Pod user = naming("example.com");
  const Pod other = naming("other.com");
  const ClusterEvent updated = Updated(R::kCsiDriver);
  const HintCase cases[] = {
      {"it asks no longer", updated, user, Changed(asking, content), "Queue"},
      {"it says nothing any more", updated, user, Changed(asking, silent), "Queue"},
      {"it comes to ask", updated, user, Changed(content, asking), "Skip"},
      {"it asks as before", updated, user, Changed(asking, asking), "Skip"},
      {"it did not ask", updated, user, Changed(silent, content), "Skip"},
      {"the pod uses another", updated, other, Changed(asking, content), "Skip"},
      {"the pod has claims only", updated, kPod, Changed(asking, content), "Skip"},
      {"the old object is no driver", updated, other, WithWrongOld(Changed(asking, asking)),
       "Queue"},
      {"the new object is no driver", updated, other, WithWrongNew(Changed(asking, asking)),
       "Queue"},
      {"one comes", Added(R::kCsiDriver), user, Came(content), "deaf"},
  };
  Check(cases);
}

TEST(VolumeBindingHints, CoverCapacity) {
  auto pool = [](std::string_view members) {
    return MakeCsiStorageCapacity(R"({"metadata":{"name":"pool","namespace":"default"},)"
                                  R"("storageClassName":"make")" +
                                  std::string(members) + "}");
  };
  const CsiStorageCapacity unknown = pool("");
  const CsiStorageCapacity one = pool(R"(,"capacity":"1Gi")");
  const CsiStorageCapacity two = pool(R"(,"capacity":"2Gi")");
  const CsiStorageCapacity two_of_one = pool(R"(,"capacity":"2Gi","maximumVolumeSize":"1Gi")");
  const CsiStorageCapacity nine_of_one = pool(R"(,"capacity":"9Gi","maximumVolumeSize":"1Gi")");
  const CsiStorageCapacity a_bit_less = pool(R"(,"capacity":"1073741823500m")");
  const ClusterEvent updated = Updated(R::kCsiStorageCapacity);
  const HintCase cases[] = {
      {"a pool comes", Added(R::kCsiStorageCapacity), kPod, Came(unknown), "Queue"},
      {"it grows", updated, kPod, Changed(one, two), "Queue"},
      {"it shrinks", updated, kPod, Changed(two, one), "Skip"},
      {"it stays", updated, kPod, Changed(one, one), "Skip"},
      {"it comes to be known", updated, kPod, Changed(unknown, one), "Queue"},
      {"it is not known any more", updated, kPod, Changed(one, unknown), "Skip"},
      {"nothing is known", updated, kPod, Changed(unknown, unknown), "Skip"},
      {"its largest volume stays", updated, kPod, Changed(two_of_one, nine_of_one), "Skip"},
      {"its largest volume is the limit", updated, kPod, Changed(two, nine_of_one), "Skip"},
      {"and not any more", updated, kPod, Changed(two_of_one, two), "Queue"},
      {"by less than a byte", updated, kPod, Changed(a_bit_less, one), "Skip"},
      {"the old object is no pool", updated, kPod, WithWrongOld(Changed(two, one)), "Queue"},
      {"the new object is no pool", updated, kPod, WithWrongNew(Changed(two, one)), "Queue"},
      {"it goes", Deleted(R::kCsiStorageCapacity), kPod, {ObjectOf(one), {}}, "deaf"},
  };
  Check(cases);
}

}  // namespace
}  // namespace stowage
