#include "core/api/decode/shared_parts.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/decode/decode_cache.h"
#include "core/api/decode/objects.h"
#include "core/base/check.h"
#include "tests/core/api/decode/object_text.h"

namespace stowage {
namespace {

// A pod of a ReplicaSet; `spec` and `status` are members of these. Every text is decoded
// separately.
PodRef PodOf(std::string_view name, std::string_view owner, std::string_view spec,
             std::string_view status = "") {
  DecodeCache::ForgetAll();
  std::string text = R"({"metadata":{"namespace":"n","name":")" + std::string(name) +
                     R"(","uid":")" + std::string(name) +
                     R"(","labels":{"app":"web"},"ownerReferences":[{"uid":")" +
                     std::string(owner) + R"(","controller":true}]},"spec":{)" + std::string(spec) +
                     R"(},"status":{)" + std::string(status) + "}}";
  ObjectDecoding decoding = DecodeObject(text, InfoOf(ObjectKind::kPod), 100);
  CHECK(decoding.object.has_value());
  return decoding.object->Ref<Pod>();
}

constexpr std::string_view kSpec = R"(
    "nodeSelector":{"disk":"ssd"},
    "affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
        {"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}]}},
    "tolerations":[{"key":"k","operator":"Exists"}],
    "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone"}],
    "containers":[{"name":"c","image":"i","ports":[{"hostPort":80}],
                   "resources":{"requests":{"cpu":"1"},"limits":{"cpu":"2"}}}],
    "initContainers":[{"name":"s","restartPolicy":"Always"}],
    "overhead":{"cpu":"10m"},
    "volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"d"}},
               {"name":"w","cinder":{"volumeID":"x"}}],
    "resourceClaims":[{"name":"gpu","resourceClaimName":"g"}])";
constexpr std::string_view kStatus = R"(
    "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}],
    "containerStatuses":[{"name":"c","resources":{"requests":{"cpu":"1"}},
                          "allocatedResources":{"cpu":"1"}}])";

TEST(SharedParts, PodsOfATemplateShareTheirParts) {
  PodRef first = PodOf("p1", "r1", kSpec, kStatus);
  PodRef second = PodOf("p2", "r1", kSpec, kStatus);
  const PodSpec& a = first->spec;
  const PodSpec& b = second->spec;
  EXPECT_TRUE(a.node_selector->IsSame(*b.node_selector));
  EXPECT_TRUE(a.affinity.IsSame(b.affinity));
  EXPECT_TRUE(a.tolerations.IsSame(b.tolerations));
  EXPECT_TRUE(a.topology_spread_constraints.IsSame(b.topology_spread_constraints));
  EXPECT_TRUE(a.containers.IsSame(b.containers));
  EXPECT_TRUE(a.init_containers.IsSame(b.init_containers));
  EXPECT_TRUE(a.overhead.IsSame(b.overhead));
  EXPECT_TRUE(a.volumes.IsSame(b.volumes));
  EXPECT_TRUE(a.resource_claims.IsSame(b.resource_claims));
  EXPECT_TRUE(first->metadata.labels.IsSame(second->metadata.labels));
  EXPECT_TRUE(first->metadata.owner_references.IsSame(second->metadata.owner_references));
  EXPECT_TRUE(first->status.conditions.IsSame(second->status.conditions));
  EXPECT_TRUE(first->status.container_statuses.IsSame(second->status.container_statuses));
  EXPECT_EQ(second->metadata.name, "p2");
  EXPECT_EQ(second->spec.volumes[1].source->cinder->volume_id, "x");
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  size_t place = text.find(from);
  CHECK(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

// Goal: parts that differ are not shared, even if they differ only in the spelling of an amount.
// Method: pods of one owner that differ in one place.
TEST(SharedParts, KeepDifferentPartsSeparate) {
  struct {
    std::string_view from;
    std::string_view to;
  } cases[] = {
      {R"("name":"c")", R"("name":"d")"},
      {R"("image":"i")", R"("image":"j")"},
      {R"("hostPort":80)", R"("hostPort":81)"},
      {R"("cpu":"1")", R"("cpu":"1000m")"},
      {R"("cpu":"1")", R"("cpu":"1","memory":"1")"},
      {R"("limits":{"cpu":"2"})", R"("limits":{})"},
      {R"("limits":{"cpu":"2"})", R"("limits":{"cpu":"2"},"claims":[{"name":"gpu"}])"},
      {R"("image":"i")", R"("image":"i","restartPolicy":"Always")"},
      {R"("image":"i")", R"("image":"i","restartPolicyRules":[{"action":"a"}])"},
  };
  for (const auto& c : cases) {
    PodRef first = PodOf("p1", "r2", kSpec);
    PodRef second = PodOf("p2", "r2", Replaced(std::string(kSpec), c.from, c.to));
    EXPECT_FALSE(first->spec.containers.IsSame(second->spec.containers)) << c.to;
    EXPECT_TRUE(first->spec.tolerations.IsSame(second->spec.tolerations)) << c.to;
  }
  PodRef first = PodOf("p1", "r3", R"("volumes":[{"name":"v","cinder":{"volumeID":"x"}}])");
  PodRef second = PodOf("p2", "r3", R"("volumes":[{"name":"v","cinder":{"volumeID":"y"}}])");
  EXPECT_EQ(second->spec.volumes[0].source->cinder->volume_id, "y");
  EXPECT_EQ(first->spec.volumes[0].source->cinder->volume_id, "x");
}

// Goal: the pod that stands for a template may be updated and deleted. Method: parts that are
// shared at all times.
TEST(SharedParts, FollowTheVersionsOfAPod) {
  PodRef first = PodOf("p1", "r4", kSpec);
  PodRef second = PodOf("p2", "r4", kSpec);
  first = PodOf("p1", "r4", kSpec, kStatus);
  PodRef third = PodOf("p3", "r4", kSpec);
  EXPECT_TRUE(first->spec.containers.IsSame(second->spec.containers));
  EXPECT_TRUE(third->spec.containers.IsSame(second->spec.containers));
  first = nullptr;
  PodRef fourth = PodOf("p4", "r4", kSpec);
  PodRef fifth = PodOf("p5", "r4", kSpec);
  EXPECT_TRUE(fifth->spec.containers.IsSame(fourth->spec.containers));
}

// Goal: a member that is written twice changes no pod with the same part. The decoder appends to
// lists without a copy, so it must clear a list that comes from the cache first. Method: each part
// is read alone, which caches it, then before and after another one under the same name.
TEST(SharedParts, AMemberWrittenTwiceChangesNoOtherPod) {
  struct {
    std::string_view member;
    std::string_view other;
  } cases[] = {
      {R"("containers":[{"name":"first","image":"i","ports":[{"hostPort":80}]}])",
       R"("containers":[{"name":"c","image":"another","ports":[{"hostPort":81}]}])"},
      {R"("tolerations":[{"key":"first","operator":"Exists"}])",
       R"("tolerations":[{"key":"k","operator":"Equal","value":"v"}])"},
      {R"("nodeSelector":{"disk":"ssd","zone":"east"})", R"("nodeSelector":{"rack":"twenty-one"})"},
      {R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
           {"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In",
            "values":["one","two"]}]}]}}})",
       R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
           {"nodeSelectorTerms":[{"matchFields":[{"key":"b","operator":"Exists"}]}]}}})"},
      {R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"d"}}])",
       R"("volumes":[{"name":"w","persistentVolumeClaim":{"claimName":"e"}},{"name":"x"}])"},
      {R"("overhead":{"cpu":"10m","memory":"16Mi"})", R"("overhead":{"cpu":"20m","a/b":"3"})"},
  };
  auto text = [](const std::string& spec) {
    return R"({"metadata":{"namespace":"n","name":"p","uid":"u"},"spec":{)" + spec + "}}";
  };
  auto decode = [](const std::string& pod) {
    ObjectDecoding decoding = DecodeObject(pod, InfoOf(ObjectKind::kPod), 100);
    CHECK(decoding.object.has_value());
    return *decoding.object;
  };
  for (const auto& c : cases) {
    const std::string member(c.member);
    const std::string twice = text(member + "," + std::string(c.other));
    const std::string reversed = text(std::string(c.other) + "," + member);
    DecodeCache::ForgetAll();
    const std::string plain = TextOf(decode(twice));
    DecodeCache::ForgetAll();
    const std::string plain_reversed = TextOf(decode(reversed));
    DecodeCache::ForgetAll();
    AnyObject alone = decode(text(member));
    const std::string before = TextOf(alone);
    EXPECT_EQ(TextOf(decode(twice)), plain) << c.member;
    EXPECT_EQ(TextOf(decode(reversed)), plain_reversed) << c.member;
    EXPECT_EQ(TextOf(alone), before) << c.member;
    EXPECT_EQ(TextOf(decode(text(member))), before) << c.member;
  }
}

TEST(SharedParts, KeepNothingAlive) {
  PodOf("p1", "r5", kSpec);
  DecodeCache::ForgetAll();
  size_t before = Symbol::LiveCount();
  {
    PodRef pod = PodOf("only-pod", "only-owner", kSpec, kStatus);
    EXPECT_GT(Symbol::LiveCount(), before);
  }
  DecodeCache::ForgetAll();
  EXPECT_EQ(Symbol::LiveCount(), before);
}

}  // namespace
}  // namespace stowage
