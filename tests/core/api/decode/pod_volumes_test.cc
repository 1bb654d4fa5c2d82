// Goal: each volume of a pod keeps its source; disks that plugins read are decoded (spec 01 §2,
// plugins/00 "Signatures").
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/decode/objects.h"
#include "tests/support/from_json.h"

namespace stowage {
namespace {

constexpr size_t kDepthMax = 64;

std::string PodWith(std::string_view volumes) {
  return R"({"metadata":{"name":"p","namespace":"default","uid":"u"},"spec":{"volumes":[)" +
         std::string(volumes) + "]}}";
}

// Goal: claims and images have fields of their own, secrets and configMaps are dropped, and all
// other sources are kept as text.
TEST(PodVolumes, HaveOneSourceEach) {
  struct {
    std::string_view source;
    std::string_view other;  // name and text
    bool has_source;
  } cases[] = {
      {R"("persistentVolumeClaim":{"claimName":"c"})", " ", false},
      {R"("image":{"reference":"i"})", " ", false},
      {R"("configMap":{"name":"c"})", " ", false},
      {R"("secret":{"secretName":"s"})", " ", false},
      {R"("unknown":{"a":"b"})", " ", false},
      {R"("awsElasticBlockStore":{})", "awsElasticBlockStore {}", true},
      {R"("azureDisk":{})", "azureDisk {}", true},
      {R"("azureFile":{})", "azureFile {}", true},
      {R"("cephfs":{})", "cephfs {}", false},
      {R"("cinder":{})", "cinder {}", true},
      {R"("csi":{})", "csi {}", true},
      {R"("downwardAPI":{})", "downwardAPI {}", false},
      {R"("emptyDir":{"medium":"Memory"})", R"(emptyDir {"medium":"Memory"})", false},
      {R"("ephemeral":{})", "ephemeral {}", false},
      {R"("fc":{})", "fc {}", false},
      {R"("flexVolume":{})", "flexVolume {}", false},
      {R"("flocker":{})", "flocker {}", false},
      {R"("gcePersistentDisk":{})", "gcePersistentDisk {}", true},
      {R"("gitRepo":{})", "gitRepo {}", false},
      {R"("glusterfs":{})", "glusterfs {}", false},
      {R"("hostPath":{})", "hostPath {}", false},
      {R"("iscsi":{})", "iscsi {}", true},
      {R"("nfs":{})", "nfs {}", false},
      {R"("photonPersistentDisk":{})", "photonPersistentDisk {}", false},
      {R"("portworxVolume":{})", "portworxVolume {}", true},
      {R"("projected":{})", "projected {}", false},
      {R"("quobyte":{})", "quobyte {}", false},
      {R"("rbd":{})", "rbd {}", true},
      {R"("scaleIO":{})", "scaleIO {}", false},
      {R"("storageos":{})", "storageos {}", false},
      {R"("vsphereVolume":{})", "vsphereVolume {}", true},
  };
  for (const auto& c : cases) {
    Volume volume = MakeVolume(c.source, "name");
    EXPECT_EQ(volume.name, "name");
    EXPECT_EQ(volume.other.name.str() + " " + volume.other.json.str(), c.other) << c.source;
    EXPECT_EQ(volume.source != nullptr, c.has_source) << c.source;
    EXPECT_EQ(volume.is_ephemeral(), c.other.starts_with("ephemeral")) << c.source;
    EXPECT_EQ(volume.persistent_volume_claim.has_value(), c.source.starts_with("\"persistent"))
        << c.source;
    EXPECT_EQ(volume.image.has_value(), c.source.starts_with("\"image")) << c.source;
  }
}

// Goal: all fields of a claim and an image count in signatures.
TEST(PodVolumes, ReadClaimsAndImages) {
  Volume claim = MakeVolume(R"("persistentVolumeClaim":{"claimName":"c","readOnly":true})");
  EXPECT_EQ(claim.persistent_volume_claim->claim_name, "c");
  EXPECT_TRUE(claim.persistent_volume_claim->read_only);
  claim = MakeVolume(R"("persistentVolumeClaim":{"claimName":"c"})");
  EXPECT_FALSE(claim.persistent_volume_claim->read_only);
  Volume image = MakeVolume(R"("image":{"reference":"i","pullPolicy":"Always"})");
  EXPECT_EQ(image.image->reference, "i");
  EXPECT_EQ(image.image->pull_policy, "Always");
}

// Goal: a source's text is kept compactly, in its order.
TEST(PodVolumes, KeepOtherSourcesAsText) {
  Volume volume = MakeVolume(
      "\"ephemeral\" : { \"volumeClaimTemplate\" : {\"spec\":\n {\"b\":1,"
      "\"a\":[ true, null, 1.50, \"\\u0041\" ]} } }");
  EXPECT_EQ(volume.other.name, "ephemeral");
  EXPECT_EQ(volume.other.json,
            R"({"volumeClaimTemplate":{"spec":{"b":1,"a":[true,null,1.50,"A"]}}})");
  EXPECT_TRUE(volume.is_ephemeral());

  volume = MakeVolume(R"("rbd":{"pool":"x","user":"admin","monitors":["m"]})");
  EXPECT_EQ(volume.other.json, R"({"pool":"x","user":"admin","monitors":["m"]})");
  EXPECT_EQ(volume.source->rbd->pool, "x");
}

// Goal: null is not a source, and does not remove another one.
TEST(PodVolumes, IgnoreNullSources) {
  Volume none = MakeVolume(R"("rbd":null,"persistentVolumeClaim":null,"image":null)");
  EXPECT_TRUE(none.other.name.empty());
  EXPECT_EQ(none.source, nullptr);
  EXPECT_FALSE(none.persistent_volume_claim.has_value());
  EXPECT_FALSE(none.image.has_value());
  for (std::string_view both : {R"("gcePersistentDisk":{"pdName":"a"},"rbd":null)",
                                R"("rbd":null,"gcePersistentDisk":{"pdName":"a"})"}) {
    Volume volume = MakeVolume(both);
    EXPECT_EQ(volume.other.name, "gcePersistentDisk") << both;
    EXPECT_EQ(volume.other.json, R"({"pdName":"a"})") << both;
    EXPECT_EQ(volume.source->gce_persistent_disk->pd_name, "a") << both;
  }
}

// Goal: each volume has its own source, and pods share none.
TEST(PodVolumes, HaveSeparateSources) {
  Pod pod = FromJson<Pod>(ObjectKind::kPod, PodWith(R"({"name":"a","cinder":{"volumeID":"1"}},
      {"name":"b","emptyDir":{}},{"name":"c","cinder":{"volumeID":"3"}})"));
  ASSERT_EQ(pod.spec.volumes.size(), 3u);
  EXPECT_EQ(pod.spec.volumes[0].source->cinder->volume_id, "1");
  EXPECT_EQ(pod.spec.volumes[1].source, nullptr);
  EXPECT_EQ(pod.spec.volumes[2].source->cinder->volume_id, "3");
}

// Goal: an error in a source has its path in the pod.
TEST(PodVolumes, RefuseWrongTypes) {
  struct {
    std::string_view volumes;
    std::vector<std::string_view> want;
  } cases[] = {
      {R"({"gcePersistentDisk":{"pdName":5}})",
       {"spec.volumes[0].gcePersistentDisk.pdName: Invalid value: 5: must be a string, not a "
        "number"}},
      {R"({"emptyDir":{}},{"rbd":{"monitors":["a",{}]}})",
       {"spec.volumes[1].rbd.monitors[1]: Invalid value: must be a string, not an object"}},
      {R"({"iscsi":{"readOnly":"yes","iqn":[]}})",
       {R"(spec.volumes[0].iscsi.readOnly: Invalid value: "yes": must be a boolean, not a string)",
        "spec.volumes[0].iscsi.iqn: Invalid value: must be a string, not a list"}},
      {R"({"cinder":{"volumeID":1}},{"csi":{"driver":true}})",
       {"spec.volumes[0].cinder.volumeID: Invalid value: 1: must be a string, not a number",
        "spec.volumes[1].csi.driver: Invalid value: true: must be a string, not a boolean"}},
      {R"({"rbd":"x"})",
       {R"(spec.volumes[0].rbd: Invalid value: "x": must be an object, not a string)"}},
      {R"({"emptyDir":[]})",
       {"spec.volumes[0].emptyDir: Invalid value: must be an object, not a list"}},
      {R"({"azureFile":7})",
       {"spec.volumes[0].azureFile: Invalid value: 7: must be an object, not a number"}},
      {R"({"persistentVolumeClaim":{"claimName":7}})",
       {"spec.volumes[0].persistentVolumeClaim.claimName: Invalid value: 7: must be a string, not "
        "a number"}},
      {R"({"name":1,"configMap":5,"secret":[]})",
       {"spec.volumes[0].name: Invalid value: 1: must be a string, not a number"}},
  };
  for (const auto& c : cases) {
    ObjectDecoding decoding = DecodeObject(PodWith(c.volumes), InfoOf(ObjectKind::kPod), kDepthMax);
    EXPECT_FALSE(decoding.object.has_value()) << c.volumes;
    ASSERT_EQ(decoding.field_errors.size(), c.want.size()) << c.volumes;
    for (size_t index = 0; index < c.want.size(); ++index) {
      const FieldError& error = decoding.field_errors[index];
      std::string_view want = c.want[index];
      EXPECT_EQ(error.message, want);
      EXPECT_EQ(error.field, want.substr(0, want.find(':'))) << c.volumes;
      EXPECT_EQ(error.code, InputErrorCode::kFieldValueTypeInvalid) << c.volumes;
    }
  }
}

// Goal: the depth limit also applies inside of kept texts.
TEST(PodVolumes, RespectTheDepthLimit) {
  auto nested = [](size_t depth) {
    return PodWith(R"({"emptyDir":{"x":)" + std::string(depth, '[') + std::string(depth, ']') +
                   "}}");
  };
  constexpr size_t kAround = 5;  // pod, spec, volumes, volume, emptyDir
  const KindInfo& info = InfoOf(ObjectKind::kPod);
  EXPECT_TRUE(DecodeObject(nested(kDepthMax - kAround), info, kDepthMax).object.has_value());
  ObjectDecoding decoding = DecodeObject(nested(kDepthMax - kAround + 1), info, kDepthMax);
  ASSERT_TRUE(decoding.syntax_error.has_value());
  EXPECT_EQ(decoding.syntax_error->code, InputErrorCode::kTooDeep);
}

// Goal: a higher depth limit also applies to decoded disks.
TEST(PodVolumes, AllowAHigherDepthLimit) {
  constexpr size_t kDeep = 2 * kDepthMax;
  std::string deep =
      R"({"rbd":{"x":)" + std::string(kDeep, '[') + std::string(kDeep, ']') + R"(,"pool":"p"}})";
  ObjectDecoding decoding =
      DecodeObject(PodWith(deep), InfoOf(ObjectKind::kPod), kDeep + kDepthMax);
  ASSERT_TRUE(decoding.object.has_value());
  const Pod& pod = *decoding.object->Get<Pod>();
  EXPECT_EQ(pod.spec.volumes.at(0).source->rbd->pool, "p");
}

// Goal: unreadable volumes do not prevent a pod's deletion.
TEST(PodVolumes, AreIgnoredInDeletedPods) {
  ObjectDecoding decoding =
      DecodeDeletedObject(PodWith(R"({"rbd":{"image":5}},{"csi":7})"), InfoOf(ObjectKind::kPod));
  ASSERT_TRUE(decoding.object.has_value());
  EXPECT_TRUE(decoding.object->Get<Pod>()->spec.volumes.empty());
}

}  // namespace
}  // namespace stowage
