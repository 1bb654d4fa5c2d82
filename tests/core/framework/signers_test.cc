// Goal: signatures are equal exactly where the reference's are (spec plugins/00, "Signatures").
#include "core/framework/signers.h"

#include <gtest/gtest.h>

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

TEST(Signers, TolerationsAreSortedByKeyAndValueAlone) {
  Pod a;
  a.spec.tolerations = {Tolerating("x", "1", "NoSchedule"), Tolerating("a", "2", "NoExecute")};
  Pod b;
  b.spec.tolerations = {a.spec.tolerations[1], a.spec.tolerations[0]};
  EXPECT_TRUE(AreAlike(a, b, SignTolerations));

  a.spec.tolerations = {Tolerating("x", "1", "NoSchedule"), Tolerating("x", "1", "NoExecute")};
  b.spec.tolerations = {a.spec.tolerations[1], a.spec.tolerations[0]};
  EXPECT_FALSE(AreAlike(a, b, SignTolerations)) << "effects do not take part in the order";

  b = a;
  b.spec.tolerations[0].toleration_seconds = 300;
  EXPECT_FALSE(AreAlike(a, b, SignTolerations));
}

TEST(Signers, RequestsAreTheWholeVector) {
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

TEST(Signers, NodeAffinityIsTheSameInAnyOrder) {
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
  heavier.spec.affinity->node_affinity->preferred->front().weight = 3;
  EXPECT_FALSE(AreAlike(preferring, heavier, SignNodeAffinity));
  EXPECT_FALSE(AreAlike(Pod(), with({}), SignNodeAffinity)) << "no affinity, and an empty one";
}

TEST(Signers, SetsForgetOrderAndRepetition) {
  PodSignature a;
  PodSignature b;
  SignSet({Symbol("x"), Symbol("y"), Symbol("x")}, &a);
  SignSet({Symbol("y"), Symbol("x")}, &b);
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace stowage
