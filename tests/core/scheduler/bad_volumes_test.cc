// Goal: storage objects that are contradictory or unreadable are answered in kube-scheduler's words
// (spec plugins/volume-binding.md), and the engine survives. Method: an engine in host mode, so
// that no controller repairs anything.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

std::string Storage(std::string_view kind, std::string_view metadata, std::string_view members) {
  std::string_view version =
      kind == "StorageClass" || kind == "CSINode" ? "storage.k8s.io/v1" : "v1";
  return R"({"apiVersion":")" + std::string(version) + R"(","kind":")" + std::string(kind) +
         R"(","metadata":{)" + std::string(metadata) + "}" + std::string(members) + "}";
}

// A class with delayed binding whose volumes are not provisioned.
std::string WaitingClass() {
  return Storage("StorageClass", R"("name":"waits","uid":"s")",
                 R"(,"provisioner":"kubernetes.io/no-provisioner",)"
                 R"("volumeBindingMode":"WaitForFirstConsumer")");
}

// Claim "c"; `spec` and `metadata` are members.
std::string Claim(std::string_view spec, std::string_view metadata = "",
                  std::string_view status = R"("phase":"Pending")") {
  return Storage("PersistentVolumeClaim",
                 R"("name":"c","namespace":"default","uid":"u")" + std::string(metadata),
                 R"(,"spec":{"resources":{"requests":{"storage":"5Gi"}},)" + std::string(spec) +
                     R"(},"status":{)" + std::string(status) + "}");
}

// Volume "v" of the class; `spec` are members.
std::string VolumeText(std::string_view spec) {
  return Storage("PersistentVolume", R"("name":"v","uid":"v")",
                 R"(,"spec":{"storageClassName":"waits",)" + std::string(spec) +
                     R"(},"status":{"phase":"Available"})");
}

std::string PodWith(const std::string& volume) {
  return PodText{.name = "p", .spec = R"("volumes":[{"name":"x",)" + volume + "}]"};
}

std::string PodWithClaim() { return PodWith(R"("persistentVolumeClaim":{"claimName":"c"})"); }

constexpr std::string_view kBound = R"(,"annotations":{"pv.kubernetes.io/bind-completed":"yes"})";
constexpr std::string_view kUnbound = "pod has unbound immediate PersistentVolumeClaims";
constexpr std::string_view kNoVolume = "node(s) didn't find available persistent volumes to bind";
constexpr std::string_view kOnce = R"("accessModes":["ReadWriteOnce"])";

struct ClaimCase {
  std::string_view name;
  std::vector<std::string> objects;
  std::string_view want;  // part of the decision's message; empty: the pod is placed
};

void ExpectDecisions(const std::vector<ClaimCase>& cases) {
  for (const ClaimCase& c : cases) {
    Engine engine(R"({"api":"host"})");
    engine.Add({NodeText{"a"}, WaitingClass()}).Add(c.objects).Add({PodWithClaim()});
    JsonTree decision = engine.Run().at(0);
    if (c.want.empty()) {
      EXPECT_EQ(decision["node"].text(), "a") << c.name << decision["message"].text();
    } else {
      EXPECT_EQ(decision["result"].text(), "unschedulable") << c.name;
      EXPECT_NE(decision["message"].text().find(c.want), std::string::npos)
          << c.name << ": " << decision["message"].text();
    }
  }
}

TEST(BadVolumes, ReportsClaimsWithMissingObjects) {
  std::string waits = R"("storageClassName":"waits",)" + std::string(kOnce);
  ExpectDecisions({
      {"no such claim", {}, R"(persistentvolumeclaim "c" not found)"},
      {"no such class", {Claim(R"("storageClassName":"gone")")}, kUnbound},
      {"a class by annotation that is not there",
       {Claim(waits, R"(,"annotations":{"volume.beta.kubernetes.io/storage-class":"gone"})")},
       kUnbound},
      {"no class at all", {Claim(kOnce)}, kUnbound},
      {"no such volume",
       {Claim(waits + R"(,"volumeName":"gone")", kBound)},
       R"(persistentvolume "gone" not found)"},
      {"lost",
       {Claim(waits + R"(,"volumeName":"gone")", kBound, R"("phase":"Lost")")},
       R"(persistentvolumeclaim "c" bound to non-existent persistentvolume "gone")"},
      {"a volume in the claim, but not yet bound to it",
       {Claim(waits + R"(,"volumeName":"v")"), VolumeText(R"("capacity":{"storage":"9Gi"})")},
       kUnbound},
  });
}

TEST(BadVolumes, ReportsVolumesOfOtherClaims) {
  std::string waits = R"("storageClassName":"waits",)" + std::string(kOnce);
  std::string bound = Claim(waits + R"(,"volumeName":"v")", kBound, R"("phase":"Bound")");
  std::string large = R"("capacity":{"storage":"9Gi"},)" + std::string(kOnce);
  std::string elsewhere = R"(,"claimRef":{"namespace":"default","name":"other","uid":"o"})";
  std::string predecessor = R"(,"claimRef":{"namespace":"default","name":"c","uid":"before"})";
  ExpectDecisions({
      // A bound claim is trusted without a look at the volume.
      {"bound to another's", {bound, VolumeText(large + elsewhere)}, ""},
      {"another's", {Claim(waits), VolumeText(large + elsewhere)}, kNoVolume},
      {"its predecessor's", {Claim(waits), VolumeText(large + predecessor)}, kNoVolume},
  });
}

TEST(BadVolumes, ReportsVolumesWithMissingOrInvalidFields) {
  std::string waits = R"("storageClassName":"waits",)";
  std::string sometimes = R"("accessModes":["ReadWriteSometimes"])";
  std::string large = R"("capacity":{"storage":"9Gi"},)";
  ExpectDecisions({
      {"no capacity", {Claim(waits + std::string(kOnce)), VolumeText(kOnce)}, kNoVolume},
      {"capacity of something else",
       {Claim(waits + std::string(kOnce)),
        VolumeText(R"("capacity":{"cpu":"9"},)" + std::string(kOnce))},
       kNoVolume},
      {"an unknown access mode",
       {Claim(waits + sometimes), VolumeText(large + std::string(kOnce))},
       kNoVolume},
      {"the same unknown access mode",
       {Claim(waits + sometimes), VolumeText(large + sometimes)},
       ""},
  });
}

// Goal: a cycle of owner references does not count as ownership of an ephemeral volume's claim, and
// does not hang the engine.
TEST(BadVolumes, SurvivesCyclesOfOwnership) {
  std::string by_itself =
      R"("name":"p-x","namespace":"default","uid":"u","ownerReferences":[{"apiVersion":"v1",)"
      R"("kind":"PersistentVolumeClaim","name":"p-x","uid":"u","controller":true}])";
  Engine engine(R"({"api":"host"})");
  engine.Add({NodeText{"a"}, Storage("PersistentVolumeClaim", by_itself, R"(,"spec":{})")});
  engine.Add(
      {PodText{.name = "p",
               .metadata = R"("ownerReferences":[{"apiVersion":"v1","controller":true,)"
                           R"("kind":"PersistentVolumeClaim","name":"p-x","uid":"u"}])",
               .spec = R"("volumes":[{"name":"x","ephemeral":{"volumeClaimTemplate":{}}}])"}});
  std::string message = engine.Run().at(0)["message"].text();
  EXPECT_NE(message.find("PVC default/p-x was not created for pod default/p (pod is not owner)"),
            std::string::npos)
      << message;
}

// Goal: an unreadable object is refused with its position, and its last known state stays.
TEST(BadVolumes, RefusesUnreadableObjects) {
  struct {
    std::string object;
    std::string_view want_code, want_field;
  } cases[] = {
      {VolumeText(R"("capacity":{"storage":"9 Gibibytes"})"), "FieldValueInvalid",
       "spec.capacity[storage]"},
      {VolumeText(R"("accessModes":"ReadWriteOnce")"), "FieldValueTypeInvalid", "spec.accessModes"},
      {VolumeText(R"("claimRef":[])"), "FieldValueTypeInvalid", "spec.claimRef"},
      {Claim(R"("volumeName":7)"), "FieldValueTypeInvalid", "spec.volumeName"},
      {Storage("StorageClass", R"("name":"waits","uid":"s")", R"(,"provisioner":{})"),
       "FieldValueTypeInvalid", "provisioner"},
      {Storage("CSINode", R"("name":"a","uid":"n")",
               R"(,"spec":{"drivers":[{"name":"d","nodeID":"a","allocatable":{"count":"x"}}]})"),
       "FieldValueTypeInvalid", "spec.drivers[0].allocatable.count"},
  };
  Engine engine(R"({"api":"host"})");
  engine.Add({NodeText{"a"}, WaitingClass(),
              Claim(R"("storageClassName":"waits",)" + std::string(kOnce)),
              VolumeText(R"("capacity":{"storage":"9Gi"},)" + std::string(kOnce))});
  for (const auto& c : cases) {
    JsonTree errors = engine.Apply({c.object})["errors"];
    ASSERT_EQ(errors.size(), 1u) << c.object;
    EXPECT_EQ(errors[0]["code"].text(), c.want_code) << c.object;
    EXPECT_EQ(errors[0]["field"].text(), c.want_field) << c.object;
    EXPECT_NE(errors[0]["name"].text(), "") << c.object;
  }
  engine.Add({PodWithClaim()});
  EXPECT_EQ(engine.Decide(), "p@a ");
}

}  // namespace
}  // namespace stowage
