// Goal: the pods of a group share the claims of the group (spec plugins/dynamic-resources, gate
// DRAWorkloadResourceClaims). Method: whole turns with the simulated API. No recording shows these
// claims: the tables follow the specification alone.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kGates =
    R"("featureGates":{"GenericWorkload":true,"GangScheduling":true)";
constexpr std::string_view kClass =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},"spec":{}})";
constexpr std::string_view kRequests =
    R"({"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu",)"
    R"("allocationMode":"ExactCount","count":1}}]}})";
constexpr std::string_view kClaimOfGroup = R"({"name":"r","resourceClaimName":"c"})";
constexpr std::string_view kTemplateOfGroup = R"({"name":"r","resourceClaimTemplateName":"t"})";

// A node with one device.
std::vector<std::string> NodeWithDevice(const std::string& name) {
  return {NodeText{name},
          R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s-)" +
              name + R"("},"spec":{"driver":"d","nodeName":")" + name + R"(","pool":{"name":")" +
              name + R"(","generation":1,"resourceSliceCount":1},"devices":[{"name":"x"}]}})"};
}

std::string Claim(std::string_view more = "") {
  std::string json = R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{)";
  json.append(R"("name":"c","namespace":"default","uid":"uc")").append(more);
  return json.append(R"(},"spec":)").append(kRequests).append("}");
}

std::string Template() {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{)"
         R"("name":"t","namespace":"default"},"spec":{"spec":)" +
         std::string(kRequests) + "}}";
}

std::string Group(std::string_view claims, std::string_view name = "g") {
  std::string json = R"({"apiVersion":"scheduling.k8s.io/v1alpha2","kind":"PodGroup","metadata":{)";
  json.append(R"("name":")")
      .append(name)
      .append(R"(","namespace":"default","uid":"u)")
      .append(name);
  json.append(R"("},"spec":{"schedulingPolicy":{"gang":)");
  return json.append(R"({"minCount":2}},"resourceClaims":[)").append(claims).append("]}}");
}

PodText Member(const std::string& name, std::string_view claim) {
  return {.name = name,
          .spec = R"("schedulingGroup":{"podGroupName":"g"},"resourceClaims":[)" +
                  std::string(claim) + "]"};
}

std::string Options(bool has_gate) {
  return R"({"keepObjects":true,)" + std::string(kGates) +
         (has_gate ? R"(,"DRAWorkloadResourceClaims":true}})" : "}}");
}

class PodGroupClaims : public testing::Test {
 protected:
  void Start(bool has_gate, const std::vector<std::string>& objects) {
    engine_ = std::make_unique<Engine>(Options(has_gate));
    engine_->Add({std::string(kClass)});
    engine_->Add(objects);
  }
  JsonTree OneClaim() {
    JsonTree items = engine_->Inspect(R"({"objects":"ResourceClaim"})")["items"];
    EXPECT_EQ(items.size(), 1u);
    return items[0];
  }
  // The consumers of the claim: "resource/name ".
  std::string Consumers() {
    std::string text;
    JsonTree claim = OneClaim();
    for (const JsonTree& one : claim["status"]["reservedFor"].items()) {
      text += one["resource"].text() + "/" + one["name"].text() + " ";
    }
    return text;
  }
  std::string NodeOf(const std::string& pod) {
    return engine_->Inspect(R"({"pod":"default/)" + pod + "\"}")["node"].text();
  }

  std::unique_ptr<Engine> engine_;
};

// Goal: who gets a claim that two pods of a group name, and for whom it is reserved. In one trial a
// later pod takes the allocation that an earlier one got. The claim is written by the pod that
// binds first; the other finds it allocated, and is bound in its next attempt.
TEST_F(PodGroupClaims, AreReservedForTheGroup) {
  struct {
    std::string_view name;
    bool has_gate;
    std::string_view claims;
    std::string_view want;
  } cases[] = {
      {"a claim of the group", true, kClaimOfGroup, "podgroups/g "},
      {"a claim of the same name of the pods alone", true, R"({"name":"other"})", "pods/p pods/q "},
      {"without the gate", false, kClaimOfGroup, "pods/p pods/q "},
  };
  for (const auto& c : cases) {
    Start(c.has_gate,
          {Claim(), Group(c.claims), Member("p", kClaimOfGroup), Member("q", kClaimOfGroup)});
    engine_->Add(NodeWithDevice("a")).Add(NodeWithDevice("b"));
    std::string decisions = engine_->Decide();
    EXPECT_TRUE(decisions.starts_with("p:gated p@a q@a ") || decisions.starts_with("p@a q@a "))
        << c.name << ": " << decisions;
    for (int turn = 0; turn < 3; ++turn) {
      engine_->Sleep(3'000'000);
      engine_->Run();
    }
    EXPECT_EQ(NodeOf("p") + NodeOf("q"), "aa") << c.name;
    EXPECT_EQ(Consumers(), c.want) << c.name;
  }
}

// Goal: a template of the group gives one claim, which the group owns.
TEST_F(PodGroupClaims, AreMadeOnceFromATemplate) {
  Start(true, {Template(), Group(kTemplateOfGroup), Member("p", kTemplateOfGroup),
               Member("q", kTemplateOfGroup)});
  engine_->Add(NodeWithDevice("a"));
  for (int turn = 0; turn < 4; ++turn) {
    engine_->Run();
    engine_->Sleep(3'000'000);
  }
  JsonTree owner = OneClaim()["metadata"]["ownerReferences"][0];
  EXPECT_EQ(owner["kind"].text() + " " + owner["name"].text(), "PodGroup g");
  EXPECT_EQ(NodeOf("p") + NodeOf("q"), "aa");
  EXPECT_EQ(Consumers(), "podgroups/g ");
}

// Goal: a claim ends with its group. One that was made for the group is deleted, any other loses
// the group's reservation and, without consumers, its devices.
TEST_F(PodGroupClaims, AreTakenBackWithTheGroup) {
  struct {
    std::string_view name;
    std::vector<std::string> events;
    std::string_view claim;
    bool is_kept;
    bool is_allocated;
  } cases[] = {
      {"a claim of the group", {Event("DELETED", Group(""))}, kClaimOfGroup, true, false},
      {"a claim from a template", {Event("DELETED", Group(""))}, kTemplateOfGroup, false, false},
      {"another group goes",
       {Group("", "h"), Event("DELETED", Group("", "h"))},
       kClaimOfGroup,
       true,
       true},
      {"a pod goes", {Event("DELETED", Member("p", kClaimOfGroup))}, kClaimOfGroup, true, true},
      {"both pods go",
       {Event("DELETED", Member("p", kTemplateOfGroup)),
        Event("DELETED", Member("q", kTemplateOfGroup))},
       kTemplateOfGroup,
       true,
       true},
  };
  for (const auto& c : cases) {
    Start(true, {Template(), Group(c.claim), Member("p", c.claim), Member("q", c.claim)});
    if (c.claim == kClaimOfGroup) engine_->Add({Claim()});
    engine_->Add(NodeWithDevice("a"));
    for (int turn = 0; turn < 4; ++turn) {
      engine_->Run();
      engine_->Sleep(3'000'000);
    }
    EXPECT_EQ(Consumers(), "podgroups/g ") << c.name;
    engine_->Add(c.events);
    engine_->Run();
    JsonTree claims = engine_->Inspect(R"({"objects":"ResourceClaim"})")["items"];
    EXPECT_EQ(claims.size(), c.is_kept ? 1u : 0u) << c.name;
    if (!c.is_kept) continue;
    EXPECT_EQ(Consumers(), c.is_allocated ? "podgroups/g " : "") << c.name;
    EXPECT_EQ(OneClaim()["status"]["allocation"].exists(), c.is_allocated) << c.name;
  }
}

// Goal: whose claims a pod may use.
TEST_F(PodGroupClaims, MayBelongToTheGroup) {
  auto owned_by = [](std::string_view version, std::string_view kind, std::string_view name) {
    std::string json = R"(,"ownerReferences":[{"apiVersion":")";
    json.append(version).append(R"(","kind":")").append(kind).append(R"(","name":")").append(name);
    return json.append(R"(","uid":"other","controller":true}])");
  };
  constexpr std::string_view kGroupVersion = "scheduling.k8s.io/v1alpha2";
  struct {
    std::string_view name;
    bool has_gate;
    std::string owner;
    bool is_accepted;
  } cases[] = {
      {"the pod's group", true, owned_by(kGroupVersion, "PodGroup", "g"), true},
      {"without the gate", false, owned_by(kGroupVersion, "PodGroup", "g"), false},
      {"another group", true, owned_by(kGroupVersion, "PodGroup", "h"), false},
      {"another kind", true, owned_by(kGroupVersion, "Workload", "g"), false},
      {"another API group", true, owned_by("example.com/v1", "PodGroup", "g"), false},
  };
  for (const auto& c : cases) {
    Start(c.has_gate, {Claim(c.owner), Group("")});
    engine_->Add(NodeWithDevice("a"));
    PodText pod = Member("p", kTemplateOfGroup);
    pod.status = R"("resourceClaimStatuses":[{"name":"r","resourceClaimName":"c"}])";
    JsonTree evaluation = engine_->Evaluate("{}", std::string(pod));
    EXPECT_EQ(evaluation["plugin"].text() == "DynamicResources", !c.is_accepted) << c.name;
    if (c.is_accepted) continue;
    EXPECT_EQ(evaluation["message"].text(),
              "ResourceClaim default/c was not created for Pod default/p (Pod is not owner)")
        << c.name;
  }
}

}  // namespace
}  // namespace stowage
