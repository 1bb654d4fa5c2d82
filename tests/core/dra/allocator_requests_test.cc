// Goal: alternatives, constraints, taints and configurations of requests (spec
// plugins/dynamic-resources-allocator).
#include <gtest/gtest.h>

#include <string>

#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

class AllocatorRequests : public AllocatorFixture {
 protected:
  std::string Config(const ResourceClaimRef& claim) {
    auto result = Run({claim});
    if (!result.ok() || result->empty()) return Text(result);
    std::string text;
    for (const DeviceAllocationConfiguration& config : result->front()->devices.config) {
      text += config.source.str() + ":" + (config.opaque ? config.opaque->driver.str() : "none");
      for (const Symbol& request : config.requests) text += "," + request.str();
      text += " ";
    }
    return text;
  }
};

constexpr std::string_view kColors = R"([
    {"name":"r1","attributes":{"color":{"string":"red"},"d/rank":{"int":1}}},
    {"name":"b1","attributes":{"color":{"string":"blue"},"d/rank":{"int":1}}},
    {"name":"r2","attributes":{"color":{"string":"red"},"d/rank":{"int":2}}},
    {"name":"b2","attributes":{"color":{"string":"blue"},"d/rank":{"int":2}}}])";

TEST_F(AllocatorRequests, TryAlternativesInTheirOrder) {
  AddSlice("s", {.devices = std::string(kColors)});
  std::string three = Sub("three", 3, Selector("color=red"));
  std::string two = Sub("two", 2, Selector("color=red"));
  std::string one = Sub("one", 1, Selector("color=blue"));
  EXPECT_EQ(Allocate(FirstAvailable("r", three + "," + two + "," + one)), "r/two=p/r1 r/two=p/r2");
  EXPECT_EQ(Allocate(FirstAvailable("r", one + "," + two)), "r/one=p/b1");
  EXPECT_EQ(Allocate(FirstAvailable("r", three)), "none");
  // The success of later requests is part of the success of an alternative.
  EXPECT_EQ(
      Allocate(FirstAvailable("r", two + "," + one) + "," + Exactly("s", 1, Selector("color=red"))),
      "r/one=p/b1 s=p/r1");
  std::string all = R"({"name":"all","deviceClassName":"c","allocationMode":"All")";
  EXPECT_EQ(Allocate(FirstAvailable("r", all + "}")),
            "r/all=p/r1 r/all=p/b1 r/all=p/r2 r/all=p/b2");
  SetAllocated("p", "r1");
  EXPECT_EQ(Allocate(FirstAvailable("r", all + "}," + one)), "r/one=p/b1");
}

TEST_F(AllocatorRequests, AlternativesStayWithinTheLimitOfAClaim) {
  std::string names;
  for (int device = 0; device < 40; ++device) names += " d" + std::to_string(device);
  AddSlice("s", {.devices = Plain(names.substr(1))});
  auto num = [this](std::string_view requests) {
    auto result = Run({Claim(requests)});
    return result.ok() && !result->empty() ? result->front()->devices.results.size() : 0;
  };
  std::string many = Sub("many", 20);
  std::string few = Sub("few", 2);
  EXPECT_EQ(num(Exactly("r", 20) + "," + FirstAvailable("s", many + "," + few)), 22u);
  EXPECT_EQ(
      num(FirstAvailable("r", many + "," + few) + "," + FirstAvailable("s", many + "," + few)),
      22u);
  EXPECT_EQ(num(FirstAvailable("r", many + "," + few) + "," + Exactly("s", 20)), 22u);
  EXPECT_EQ(Allocate(FirstAvailable("r", Sub("a", 33) + "," + Sub("b", 34))),
            "error: claim ns/claim: number of requested devices 33 exceeds the claim limit of 32");
  // No device is tried for the requests before one that exceeds the limit in any case.
  steps_.Begin(2'000, 1);
  EXPECT_EQ(num(FirstAvailable("r", many + "," + few) + "," +
                FirstAvailable("s", Sub("a", 31) + "," + Sub("b", 32))),
            0u);
  EXPECT_FALSE(steps_.is_exhausted());
}

std::string Match(std::string_view attribute, std::string_view more = "") {
  std::string json = R"(,"constraints":[{"matchAttribute":")";
  return json.append(attribute).append("\"").append(more).append("}]");
}
std::string Distinct(std::string_view attribute, std::string_view more = "") {
  std::string json = R"(,"constraints":[{"distinctAttribute":")";
  return json.append(attribute).append("\"").append(more).append("}]");
}

TEST_F(AllocatorRequests, AgreeInAnAttribute) {
  AddSlice("s", {.devices = std::string(kColors)});
  EXPECT_EQ(Allocate(Exactly("r", 2), Match("d/color")), "r=p/r1 r=p/r2");
  EXPECT_EQ(Allocate(Exactly("r", 2), Match("d/rank")), "r=p/r1 r=p/b1");
  EXPECT_EQ(Allocate(Exactly("r", 3), Match("d/color")), "none");
  EXPECT_EQ(Allocate(Exactly("r", 2), Match("e/color")), "none");
  EXPECT_EQ(Allocate(Exactly("r", 1), Match("d/size")), "none");
  EXPECT_EQ(
      Allocate(Exactly("r") + "," + Exactly("s", 1, Selector("color=blue")), Match("d/color")),
      "r=p/b1 s=p/b2");
  // A constraint of other requests leaves this one free.
  EXPECT_EQ(
      Allocate(Exactly("r", 2) + "," + Exactly("s"), Match("d/color", R"(,"requests":["s"])")),
      "r=p/r1 r=p/b1 s=p/r2");
  EXPECT_EQ(Allocate(All("r"), Match("d/color")),
            "error: claim ns/claim, request r: cannot add device d/p/b1 because a claim constraint "
            "would not be satisfied");
  EXPECT_EQ(Allocate(All("r", Selector("color=red")), Match("d/color")), "r=p/r1 r=p/r2");
}

TEST_F(AllocatorRequests, NameAlternativesInConstraints) {
  AddSlice("s", {.devices = std::string(kColors)});
  std::string subs = Sub("three", 3) + "," + Sub("two", 2);
  auto match = [](std::string_view name) {
    return Match("d/color", R"(,"requests":[")" + std::string(name) + "\"]");
  };
  EXPECT_EQ(Allocate(FirstAvailable("r", subs), match("r")), "r/two=p/r1 r/two=p/r2");
  EXPECT_EQ(Allocate(FirstAvailable("r", subs), match("r/three")), "r/two=p/r1 r/two=p/b1");
  EXPECT_EQ(Allocate(FirstAvailable("r", subs), match("r/two")),
            "r/three=p/r1 r/three=p/b1 r/three=p/r2");
}

TEST_F(AllocatorRequests, CompareEveryTypeOfAttribute) {
  struct {
    std::string_view first;
    std::string_view second;
    bool is_equal;
    bool is_known = true;
  } cases[] = {
      {R"({"string":"a"})", R"({"string":"a"})", true},
      {R"({"string":"a"})", R"({"string":"b"})", false},
      {R"({"int":1})", R"({"int":1})", true},
      {R"({"int":1})", R"({"int":2})", false},
      {R"({"int":1})", R"({"string":"1"})", false},
      {R"({"bool":true})", R"({"bool":true})", true},
      {R"({"bool":true})", R"({"bool":false})", false},
      {R"({"version":"1.0.0"})", R"({"version":"1.0.0"})", true},
      {R"({"version":"1.0.0"})", R"({"version":"1.0.0+build"})", false},
      {R"({"version":"1.0.0"})", R"({"string":"1.0.0"})", false},
      {R"({"string":"a"})", R"({})", false, false},
  };
  for (const auto& c : cases) {
    std::string devices = R"([{"name":"a","attributes":{"x":)";
    devices.append(c.first).append(R"(}},{"name":"b","attributes":{"x":)");
    devices.append(c.second).append("}}]");
    AddSlice("s", {.devices = devices});
    EXPECT_EQ(Allocate(Exactly("r", 2), Match("d/x")), c.is_equal ? "r=p/a r=p/b" : "none")
        << devices;
    bool is_distinct = c.is_known && !c.is_equal;
    EXPECT_EQ(Allocate(Exactly("r", 2), Distinct("d/x")), is_distinct ? "r=p/a r=p/b" : "none")
        << devices;
  }
}

TEST_F(AllocatorRequests, DifferInAnAttribute) {
  AddSlice("s", {.devices = std::string(kColors)});
  std::string two = Exactly("r") + "," + Exactly("s");
  EXPECT_EQ(Allocate(two, Distinct("d/color")), "r=p/r1 s=p/b1");
  EXPECT_EQ(Allocate(two + "," + Exactly("t"), Distinct("d/color")), "none");
  EXPECT_EQ(Allocate(two, Distinct("d/size")), "none");
  // A request remembers its last device only.
  EXPECT_EQ(Allocate(Exactly("r", 3), Distinct("d/color")), "r=p/r1 r=p/b1 r=p/r2");
  EXPECT_EQ(Allocate(All("r"), Distinct("d/rank")),
            "error: claim ns/claim, request r: cannot add device d/p/b1 because a claim constraint "
            "would not be satisfied");
}

TEST_F(AllocatorRequests, TolerateTaints) {
  struct {
    std::string_view taint;
    std::string_view toleration;
    bool is_tolerated;
  } cases[] = {
      {R"("key":"k","effect":"NoSchedule")", "", false},
      {R"("key":"k","effect":"NoExecute")", "", false},
      {R"("key":"k","effect":"None")", "", true},
      {R"("key":"k","effect":"Unknown")", "", true},
      {R"("key":"k","value":"v","effect":"NoSchedule")", R"("key":"k","value":"v")", true},
      {R"("key":"k","value":"v","effect":"NoSchedule")", R"("key":"k","value":"w")", false},
      {R"("key":"k","value":"v","effect":"NoSchedule")", R"("key":"l","value":"v")", false},
      {R"("key":"k","value":"v","effect":"NoSchedule")", R"("key":"k","operator":"Exists")", true},
      {R"("key":"k","value":"v","effect":"NoSchedule")", R"("operator":"Exists")", true},
      {R"("key":"k","value":"v","effect":"NoSchedule")",
       R"("operator":"Exists","effect":"NoSchedule")", true},
      {R"("key":"k","value":"v","effect":"NoExecute")",
       R"("operator":"Exists","effect":"NoSchedule")", false},
      {R"("key":"k","value":"v","effect":"NoSchedule")", R"("operator":"Equal","value":"v")", true},
      {R"("key":"k","value":"v","effect":"NoSchedule")", R"("operator":"Lt","value":"v")", false},
  };
  for (const auto& c : cases) {
    std::string devices = R"([{"name":"a","taints":[{)" + std::string(c.taint) + "}]}]";
    AddSlice("s", {.devices = devices});
    std::string more = R"(,"tolerations":[{)" + std::string(c.toleration) + "}]";
    if (c.toleration.empty()) more.clear();
    EXPECT_EQ(Allocate(Exactly("r", 1, more)), c.is_tolerated ? "r=p/a" : "none")
        << c.taint << " " << c.toleration;
    EXPECT_EQ(Allocate(Exactly("r", 1, more + R"(,"adminAccess":true)")),
              c.is_tolerated ? "r=p/a admin" : "none");
    features_.device_taints = false;
    EXPECT_EQ(Allocate(Exactly("r", 1, more)), "r=p/a");
    features_.device_taints = true;
  }
}

TEST_F(AllocatorRequests, TolerateEachTaint) {
  AddSlice("s", {.devices = R"([{"name":"a","taints":[
      {"key":"k","effect":"NoSchedule"},{"key":"l","effect":"NoExecute"}]}])"});
  std::string k = R"({"key":"k","operator":"Exists"})";
  std::string l = R"({"key":"l","operator":"Exists","tolerationSeconds":5})";
  auto more = [](const std::string& list) { return R"(,"tolerations":[)" + list + "]"; };
  EXPECT_EQ(Allocate(Exactly("r", 1, more(k))), "none");
  EXPECT_EQ(Allocate(Exactly("r", 1, more(k + "," + l))), "r=p/a");
  EXPECT_EQ(Allocate(All("r")), "none");
  auto result = Run({Claim(Exactly("r", 1, more(k + "," + l)))});
  const auto& tolerations = result->front()->devices.results[0].tolerations;
  ASSERT_EQ(tolerations.size(), 2u);
  EXPECT_EQ(tolerations[1].toleration_seconds, 5);
}

TEST_F(AllocatorRequests, HaveTheConfigOfTheirClassOnce) {
  AddSlice("s", {.devices = Plain("a b c d")});
  AddClass("c", R"({"config":[{"opaque":{"driver":"c1"}},{"opaque":{"driver":"c2"}}]})");
  AddClass("e", R"({"config":[{"opaque":{"driver":"e1"}}]})");
  std::string other =
      R"({"name":"o","exactly":{"deviceClassName":"e","allocationMode":"ExactCount","count":1}})";
  EXPECT_EQ(Config(Claim(Exactly("r") + "," + other + "," + Exactly("s"))),
            "FromClass:c1,r,s FromClass:c2,r,s FromClass:e1,o ");
  EXPECT_EQ(Config(Claim(FirstAvailable("r", Sub("many", 5) + "," + Sub("one")))),
            "FromClass:c1,r/one FromClass:c2,r/one ");
}

TEST_F(AllocatorRequests, HaveTheConfigOfTheirClaim) {
  AddSlice("s", {.devices = Plain("a b c d")});
  std::string requests =
      Exactly("r") + "," + FirstAvailable("f", Sub("many", 5) + "," + Sub("one"));
  auto config = [&](std::string_view names) {
    std::string more = R"(,"config":[{"requests":[)";
    more.append(names).append(R"(],"opaque":{"driver":"x"}}])");
    return Config(Claim(requests, more));
  };
  EXPECT_EQ(config(""), "FromClaim:x ");
  EXPECT_EQ(config(R"("r")"), "FromClaim:x,r ");
  EXPECT_EQ(config(R"("f")"), "FromClaim:x,f ");
  EXPECT_EQ(config(R"("f/one")"), "FromClaim:x,f/one ");
  EXPECT_EQ(config(R"("f/many")"), "");
  EXPECT_EQ(config(R"("other")"), "");
  // Once for each of its requests.
  EXPECT_EQ(config(R"("r","f")"), "FromClaim:x,r,f FromClaim:x,r,f ");
  EXPECT_EQ(config(R"("f","f/one")"), "FromClaim:x,f,f/one ");
}

}  // namespace
}  // namespace stowage
