#include "core/api/volume_helpers.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";

PersistentVolumeClaim Claim(std::string_view name, std::string_view namespace_ = "default") {
  PersistentVolumeClaim claim;
  claim.metadata.name = Symbol(name);
  claim.metadata.namespace_ = Symbol(namespace_);
  return claim;
}

// Goal: the annotations that other programs read are exactly these.
TEST(VolumeHelpers, NamesAnnotations) {
  EXPECT_EQ(Annotations().bind_completed, "pv.kubernetes.io/bind-completed");
  EXPECT_EQ(Annotations().bound_by_controller, "pv.kubernetes.io/bound-by-controller");
  EXPECT_EQ(Annotations().selected_node, "volume.kubernetes.io/selected-node");
  EXPECT_EQ(Annotations().storage_class, kClassAnnotation);
  EXPECT_EQ(Annotations().migrated_plugins, "storage.alpha.kubernetes.io/migrated-plugins");
}

// Goal: the old annotation takes precedence over the field, even if it is empty.
TEST(VolumeHelpers, StorageClassOf) {
  struct {
    std::string_view name;
    LabelMap annotations;
    std::optional<std::string_view> field;
    std::string_view want;
  } cases[] = {
      {"neither", {}, std::nullopt, ""},
      {"field", {}, "fast", "fast"},
      {"empty field", {}, "", ""},
      {"annotation", {{kClassAnnotation, "slow"}}, std::nullopt, "slow"},
      {"both", {{kClassAnnotation, "slow"}}, "fast", "slow"},
      {"empty annotation", {{kClassAnnotation, ""}}, "fast", ""},
      {"other annotation", {{"storage-class", "slow"}}, "fast", "fast"},
  };
  for (const auto& c : cases) {
    PersistentVolumeClaim claim = Claim("c");
    claim.metadata.annotations = c.annotations;
    if (c.field) claim.spec.storage_class_name = Symbol(*c.field);
    EXPECT_EQ(StorageClassOf(claim), c.want) << c.name;
    PersistentVolume volume;
    volume.metadata.annotations = c.annotations;
    volume.spec.storage_class_name = Symbol(c.field.value_or(""));
    EXPECT_EQ(StorageClassOf(volume), c.want) << c.name;
  }
}

// Goal: a claim is bound if it has a volume and the volume controller's annotation, with any value.
TEST(VolumeHelpers, IsFullyBound) {
  struct {
    std::string_view name;
    std::string_view volume;
    LabelMap annotations;
    bool want;
  } cases[] = {
      {"neither", "", {}, false},
      {"volume", "pv", {}, false},
      {"annotation", "", {{"pv.kubernetes.io/bind-completed", "yes"}}, false},
      {"both", "pv", {{"pv.kubernetes.io/bind-completed", "yes"}}, true},
      {"empty annotation", "pv", {{"pv.kubernetes.io/bind-completed", ""}}, true},
      {"another annotation", "pv", {{"pv.kubernetes.io/bound-by-controller", "yes"}}, false},
  };
  for (const auto& c : cases) {
    PersistentVolumeClaim claim = Claim("c");
    claim.spec.volume_name = Symbol(c.volume);
    claim.metadata.annotations = c.annotations;
    EXPECT_EQ(IsFullyBound(claim), c.want) << c.name;
  }
}

// Goal: a volume belongs to a claim by name, namespace and, if specified, uid.
TEST(VolumeHelpers, IsBoundToClaim) {
  auto reference = [](std::string_view namespace_, std::string_view name, std::string_view uid) {
    return std::optional<ClaimReference>({Symbol(namespace_), Symbol(name), Symbol(uid)});
  };
  struct {
    std::string_view name;
    std::optional<ClaimReference> reference;
    bool want;
  } cases[] = {
      {"no reference", std::nullopt, false},
      {"same", reference("default", "c", "u"), true},
      {"without uid", reference("default", "c", ""), true},
      {"other uid", reference("default", "c", "v"), false},
      {"other name", reference("default", "d", "u"), false},
      {"other namespace", reference("other", "c", "u"), false},
      {"no namespace", reference("", "c", ""), false},
  };
  for (const auto& c : cases) {
    PersistentVolumeClaim claim = Claim("c");
    claim.metadata.uid = Symbol("u");
    PersistentVolume volume;
    volume.spec.claim_ref = c.reference;
    EXPECT_EQ(IsBoundToClaim(volume, claim), c.want) << c.name;
  }
}

// Goal: an ephemeral volume's claim is named after pod and volume.
TEST(VolumeHelpers, ClaimNameOf) {
  const Pod pod =
      MakePod().Name("p").Pvc("a").EphemeralVolume("v").Pvc("").EmptyDir().ImageVolume("i");
  const std::vector<std::optional<Symbol>> want = {Symbol("a"), Symbol("p-v"), Symbol(),
                                                   std::nullopt, std::nullopt};
  std::vector<std::optional<Symbol>> names;
  for (const Volume& volume : pod.spec.volumes) names.push_back(ClaimNameOf(pod, volume));
  EXPECT_EQ(names, want);
}

// Goal: a pod uses the claims that it names and those of its ephemeral volumes.
TEST(VolumeHelpers, UsesClaim) {
  const Pod pod = MakePod().Name("p").EmptyDir().Pvc("a").EphemeralVolume("v");
  struct {
    std::string_view name;
    PersistentVolumeClaim claim;
    bool want;
  } cases[] = {
      {"claim", Claim("a"), true},
      {"ephemeral volume's", Claim("p-v"), true},
      {"ephemeral volume's own name", Claim("v"), false},
      {"another", Claim("b"), false},
      {"in another namespace", Claim("a", "other"), false},
      {"nameless", Claim(""), false},
  };
  for (const auto& c : cases) EXPECT_EQ(UsesClaim(pod, c.claim.metadata), c.want) << c.name;
  EXPECT_FALSE(UsesClaim(MakePod().Name("p"), Claim("a").metadata));
}

// Goal: the first owner that controls the claim decides, by its uid only.
TEST(VolumeHelpers, IsControlledBy) {
  auto owner = [](std::string_view uid, bool controller) {
    return OwnerReference{Symbol("v1"), Symbol("Pod"), Symbol("p"), Symbol(uid), controller};
  };
  struct {
    std::string_view name;
    std::vector<OwnerReference> owners;
    bool want;
  } cases[] = {
      {"no owner", {}, false},
      {"the pod", {owner("u", true)}, true},
      {"a pod of its name", {owner("v", true)}, false},
      {"the pod, not as controller", {owner("u", false)}, false},
      {"the pod beside others", {owner("v", false), owner("u", true)}, true},
      {"the pod after another controller", {owner("v", true), owner("u", true)}, false},
      {"of another kind",
       {{Symbol("apps/v1"), Symbol("ReplicaSet"), Symbol("x"), Symbol("u"), true}},
       true},
  };
  const Pod pod = MakePod().Name("p").Uid("u");
  for (const auto& c : cases) {
    PersistentVolumeClaim claim = Claim("p-v");
    claim.metadata.owner_references = c.owners;
    EXPECT_EQ(IsControlledBy(claim, pod), c.want) << c.name;
  }
}

// Goal: the messages that users see are exactly these.
TEST(VolumeHelpers, Messages) {
  EXPECT_EQ(NotOwnerMessage(Claim("p-v"), MakePod().Name("p")),
            "PVC default/p-v was not created for pod default/p (pod is not owner)");
  EXPECT_EQ(NotFoundMessage("persistentvolumeclaim", Symbol("c")),
            "persistentvolumeclaim \"c\" not found");
}

// Goal: a volume can be reached from the nodes whose labels its affinity selects.
TEST(VolumeHelpers, NodeAffinityOf) {
  auto affinity = [](std::vector<NodeSelectorTerm> terms) {
    VolumeNodeAffinity affinity;
    affinity.required.emplace(NodeSelector{std::move(terms)});
    return affinity;
  };
  EXPECT_FALSE(NodeAffinityOf(std::nullopt).has_value());
  EXPECT_FALSE(NodeAffinityOf(VolumeNodeAffinity()).has_value());
  struct {
    std::string_view name;
    VolumeNodeAffinity affinity;
    bool want;
  } cases[] = {
      {"selected", affinity({Term({Expression("zone", "In", {"a"})})}), true},
      {"not selected", affinity({Term({Expression("zone", "In", {"b"})})}), false},
      {"by one of two terms",
       affinity({Term({Expression("zone", "In", {"b"})}), Term({Expression("zone", "Exists")})}),
       true},
      {"no terms", affinity({}), false},
      {"empty term", affinity({Term({})}), false},
      {"does not parse", affinity({Term({Expression("zone", "Near", {"a"})})}), false},
      {"does not parse, before one that selects",
       affinity({Term({Expression("zone", "Near")}), Term({Expression("zone", "Exists")})}), true},
      {"fields are not looked at",
       affinity({Term({Expression("zone", "In", {"a"})},
                      {Expression("metadata.name", "In", {"other"})})}),
       true},
  };
  const LabelMap labels{{"zone", "a"}};
  for (const auto& c : cases) {
    std::optional<NodeSelectorMatcher> matcher = NodeAffinityOf(c.affinity);
    ASSERT_TRUE(matcher.has_value()) << c.name;
    EXPECT_EQ(matcher->Match(labels, Symbol()).matches, c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
