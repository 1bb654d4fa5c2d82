// Goal: signatures are equal exactly if the reference's are (spec plugins/00, "Signatures").
#include "core/framework/signers.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/from_json.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

Toleration Tolerating(std::string_view key, std::string_view value, std::string_view effect) {
  return {Symbol(key), Symbol("Equal"), Symbol(value), Symbol(effect), {}};
}

template <typename Sign>
bool AreAlike(const Pod& a, const Pod& b, Sign sign) {
  PodSignature of_a;
  PodSignature of_b;
  sign(a, &of_a);
  sign(b, &of_b);
  return of_a == of_b;
}

TEST(Signers, SortTolerationsByKeyAndValue) {
  Pod a;
  a.spec.tolerations = {Tolerating("x", "1", "NoSchedule"), Tolerating("a", "2", "NoExecute")};
  Pod b;
  b.spec.tolerations = {a.spec.tolerations[1], a.spec.tolerations[0]};
  EXPECT_TRUE(AreAlike(a, b, SignTolerations));

  a.spec.tolerations = {Tolerating("x", "1", "NoSchedule"), Tolerating("x", "1", "NoExecute")};
  b.spec.tolerations = {a.spec.tolerations[1], a.spec.tolerations[0]};
  EXPECT_FALSE(AreAlike(a, b, SignTolerations)) << "effects do not take part in the order";

  b = a;
  b.spec.tolerations.Mutable()[0].toleration_seconds = 300;
  EXPECT_FALSE(AreAlike(a, b, SignTolerations));
}

TEST(Signers, SignTheWholeRequest) {
  Features features;
  auto sign = [&features](const Pod& pod, PodSignature* signature) {
    SignRequests(pod, features, signature);
  };
  Pod a = MakePod().Name("a").Req({{"cpu", "1"}, {"example.com/gpu", "1"}});
  Pod b = MakePod().Name("b").Req({{"example.com/gpu", "1"}, {"cpu", "1000m"}});
  Pod c = MakePod().Name("c").Req({{"cpu", "1"}});
  EXPECT_TRUE(AreAlike(a, b, sign));
  EXPECT_FALSE(AreAlike(a, c, sign));
}

TEST(Signers, IgnoreTheOrderInNodeAffinity) {
  SelectorExpression zones{Symbol("zone"), Symbol("In"), {Symbol("a"), Symbol("b")}};
  SelectorExpression swapped{Symbol("zone"), Symbol("In"), {Symbol("b"), Symbol("a")}};
  SelectorExpression disk{Symbol("disk"), Symbol("Exists"), {}};
  auto with = [](std::vector<NodeSelectorTerm> terms) {
    Pod pod;
    pod.spec.affinity.emplace().node_affinity.emplace().required.emplace().node_selector_terms =
        std::move(terms);
    return pod;
  };
  Pod a = with({{{zones, disk}, {}}, {{disk}, {}}});
  Pod b = with({{{disk}, {}}, {{disk, swapped}, {}}});
  EXPECT_TRUE(AreAlike(a, b, SignNodeAffinity));
  EXPECT_FALSE(AreAlike(a, with({{{zones}, {}}, {{disk}, {}}}), SignNodeAffinity));
  EXPECT_FALSE(AreAlike(a, with({{{zones, disk}, {}}, {{}, {disk}}}), SignNodeAffinity));

  Pod preferring;
  preferring.spec.affinity.emplace().node_affinity.emplace().preferred = {
      PreferredSchedulingTerm{1, {{zones}, {}}}, PreferredSchedulingTerm{2, {{disk}, {}}}};
  Pod heavier = preferring;
  heavier.spec.affinity.Mutable().node_affinity->preferred->front().weight = 3;
  EXPECT_FALSE(AreAlike(preferring, heavier, SignNodeAffinity));
  EXPECT_FALSE(AreAlike(Pod(), with({}), SignNodeAffinity)) << "no affinity, and an empty one";
}

// A pod whose volumes have these sources.
Pod WithVolumes(std::vector<std::string_view> sources) {
  std::vector<Volume> volumes;
  for (std::string_view source : sources) volumes.push_back(MakeVolume(source));
  return MakePod().Volumes(std::move(volumes));
}

constexpr std::string_view kClaim = R"("persistentVolumeClaim":{"claimName":"c"})";
constexpr std::string_view kImage = R"("image":{"reference":"i"})";
constexpr std::string_view kEmptyDir = R"("emptyDir":{})";
constexpr std::string_view kDisk = R"("gcePersistentDisk":{"pdName":"d"})";
constexpr std::string_view kConfigMap = R"("configMap":{"name":"m"})";
constexpr std::string_view kSecret = R"("secret":{"secretName":"s"})";

// Goal: the order and names of volumes do not matter; secrets and configMaps do not count.
TEST(Signers, SignSortedVolumeSources) {
  struct {
    std::string_view name;
    Pod a;
    Pod b;
    bool want;
  } cases[] = {
      {"another order", WithVolumes({kClaim, kEmptyDir, kDisk, kImage}),
       WithVolumes({kImage, kDisk, kClaim, kEmptyDir}), true},
      {"other names", MakePod().Volumes({MakeVolume(kDisk, "x"), MakeVolume(kClaim, "y")}),
       MakePod().Volumes({MakeVolume(kDisk, "z"), MakeVolume(kClaim, "x")}), true},
      {"configMap", WithVolumes({kClaim, kConfigMap}), WithVolumes({kClaim}), true},
      {"secret", WithVolumes({kSecret, kClaim}), WithVolumes({kClaim}), true},
      {"another configMap", WithVolumes({R"("configMap":{"name":"n"})"}), WithVolumes({kConfigMap}),
       true},
      {"configMap and secret alone", WithVolumes({kSecret, kConfigMap}), WithVolumes({}), true},
      {"one more", WithVolumes({kClaim, kEmptyDir}), WithVolumes({kClaim}), false},
      {"one of them twice", WithVolumes({kEmptyDir, kEmptyDir}), WithVolumes({kEmptyDir}), false},
      {"other ones twice", WithVolumes({kEmptyDir, kEmptyDir, kDisk}),
       WithVolumes({kEmptyDir, kDisk, kDisk}), false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(AreAlike(c.a, c.b, SignVolumes), c.want) << c.name;
  }
}

// Goal: every source counts with all of its fields. Method: pods of which no two are equal.
TEST(Signers, CoverEveryVolumeSource) {
  constexpr std::string_view kDifferent[] = {
      kClaim,
      R"("persistentVolumeClaim":{"claimName":"d"})",
      R"("persistentVolumeClaim":{"claimName":"c","readOnly":true})",
      kImage,
      R"("image":{"reference":"j"})",
      R"("image":{"reference":"i","pullPolicy":"Always"})",
      kEmptyDir,
      R"("emptyDir":{"medium":"Memory"})",
      kDisk,
      R"("gcePersistentDisk":{"pdName":"d","readOnly":true})",
      R"("gcePersistentDisk":{"pdName":"d","partition":1})",
      R"("ephemeral":{"volumeClaimTemplate":{"spec":{"storageClassName":"x"}}})",
      R"("ephemeral":{"volumeClaimTemplate":{"spec":{"storageClassName":"y"}}})",
      R"("awsElasticBlockStore":{})",
      R"("azureDisk":{})",
      R"("azureFile":{})",
      R"("cephfs":{})",
      R"("cinder":{})",
      R"("csi":{})",
      R"("downwardAPI":{})",
      R"("fc":{})",
      R"("flexVolume":{})",
      R"("flocker":{})",
      R"("gitRepo":{})",
      R"("glusterfs":{})",
      R"("hostPath":{})",
      R"("iscsi":{})",
      R"("nfs":{})",
      R"("photonPersistentDisk":{})",
      R"("portworxVolume":{})",
      R"("projected":{})",
      R"("quobyte":{})",
      R"("rbd":{})",
      R"("scaleIO":{})",
      R"("storageos":{})",
      R"("vsphereVolume":{})",
      kSecret,  // does not count
  };
  for (size_t a = 0; a < std::size(kDifferent); ++a) {
    for (size_t b = 0; b < std::size(kDifferent); ++b) {
      EXPECT_EQ(AreAlike(WithVolumes({kDifferent[a]}), WithVolumes({kDifferent[b]}), SignVolumes),
                a == b)
          << kDifferent[a] << " and " << kDifferent[b];
    }
  }
}

TEST(Signers, IgnoreOrderAndRepetitionInSets) {
  PodSignature a;
  PodSignature b;
  SignSet({Symbol("x"), Symbol("y"), Symbol("x")}, &a);
  SignSet({Symbol("y"), Symbol("x")}, &b);
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace stowage
