// Goal: a refusal of DynamicResources is explained request by request, in bounded text, and the
// node that lacks least comes first. Method: a node, a claim, and the text of the culprit.
#include <gtest/gtest.h>

#include <string>

#include "core/api/encode/json_writer.h"
#include "tests/core/plugins/devices_fixture.h"

namespace stowage {
namespace {

class DynamicResourcesCulpritTest : public DevicesTest {
 protected:
  Refusal Refuse(const Pod& pod, std::string_view node) {
    status_ = runner_.Filter(pod, node);
    EXPECT_FALSE(status_.IsSuccess());
    return {status_, state(), pod, runner_.handle().node(node)};
  }
  std::string Culprit(const Pod& pod, std::string_view node = "n") {
    std::string text;
    JsonWriter json(&text);
    json.BeginObject();
    plugin().WriteCulprit(Refuse(pod, node), &json);
    json.EndObject();
    return text;
  }
  std::string Culprit(std::string_view requests, std::string_view more = "") {
    AddClaim("c", requests, more);
    return Culprit(PodWith("c"));
  }
  int64_t Missing(const Pod& pod, std::string_view node) {
    return plugin().Missing(Refuse(pod, node));
  }

  Status status_;
};

std::string Request(std::string_view members, std::string_view count = "1") {
  std::string json = R"({"name":"r","exactly":{"deviceClassName":"gpu",)";
  json.append(R"("allocationMode":"ExactCount","count":)").append(count);
  return json.append(members).append("}}");
}

// What is written of a request of claim "c" that asks for one device.
std::string Written(std::string_view devices, std::string_view refused,
                    std::string_view pools = "") {
  std::string json = R"({"deviceRequests":[{"claim":"default/c","request":"r",)";
  json.append(R"("deviceClass":"gpu","asked":1,"devices":)").append(devices);
  json.append(R"(,"left":0,"missing":1,"refused":[)").append(refused);
  return json.append(R"(]}],"devicePools":[)").append(pools).append("]}");
}

TEST_F(DynamicResourcesCulpritTest, NamesTheRuleWithItsDetails) {
  AddNode("n");
  AddClass("small", R"({"selectors":[{"cel":{"expression":"small"}}]})");
  EXPECT_EQ(Culprit(kOneGpu), Written("0", ""));
  AddSlice("n", R"({"name":"x"})");
  EXPECT_EQ(Culprit(Request(R"(,"selectors":[{"cel":{"expression":"y"}}])")),
            Written("1", R"({"rule":"selector","devices":1,"device":"d/n/x","expression":"y"})"));
  EXPECT_EQ(Culprit(Request(R"(,"selectors":[{"cel":{"expression":"fault"}}])")),
            Written("1", R"({"rule":"fault","devices":1,"device":"d/n/x","message":)"
                         R"("claim default/c: selector #0: CEL runtime error: fault"})"));
  EXPECT_EQ(status_.code(), Code::kError);
  AddSlice("n", R"({"name":"x","taints":[{"key":"k","value":"v","effect":"NoExecute"}]})");
  EXPECT_EQ(Culprit(kOneGpu),
            Written("1", R"({"rule":"taint","devices":1,"device":"d/n/x",)"
                         R"("taint":{"key":"k","value":"v","effect":"NoExecute"}})"));
  EXPECT_NE(Culprit(R"({"name":"r","exactly":{"deviceClassName":"small","allocationMode":"All"}})")
                .find(R"("asked":"All","devices":1,"left":0,"missing":1,"refused":[{"rule":)"
                      R"("classSelector","devices":1,"device":"d/n/x","expression":"small"}])"),
            std::string::npos);
}

TEST_F(DynamicResourcesCulpritTest, NamesThePodsThatHoldDevices) {
  AddNode("n");
  AddSlice("n", R"({"name":"x"},{"name":"y"},{"name":"z"})");
  auto hold = [this](std::string_view pod, std::string_view device, std::string_view more = "") {
    std::string status = R"(,"status":{"allocation":{"devices":{"results":[{"request":"r",)";
    status.append(R"("driver":"d","pool":"n","device":")").append(device).append("\"");
    AddClaim(pod, kOneGpu, status.append(more).append("}]}}}"));
    runner_.handle().Add(MakePod().Name(pod).Uid(pod).Node("n").ResourceClaim(pod).Obj());
  };
  hold("b", "x");
  hold("a", "y");
  hold("admin", "x", R"(,"adminAccess":true)");
  hold("elsewhere", "none");
  AddClaim("c", Request("", "2"));
  std::string text = Culprit(PodWith("c"));
  EXPECT_NE(text.find(R"("devices":3,"left":1,"missing":1,"refused":[{"rule":"inUse","devices":2,)"
                      R"("device":"d/n/x","pods":["default/b","default/a"]}])"),
            std::string::npos)
      << text;
}

// The claim's pod holds a device of node "n".
std::string Allocated(std::string_view device, std::string_view more = "") {
  std::string status = R"(,"status":{"allocation":{"devices":{"results":[{"request":"r",)";
  status.append(R"("driver":"d","pool":"n","device":")").append(device).append("\"");
  return status.append(more).append("}]}}}");
}

// Goal: which capacity is short, and by how much; the pods that have a share of the devices.
TEST_F(DynamicResourcesCulpritTest, NamesTheCapacityThatIsShort) {
  AddNode("n");
  AddSlice("n", R"({"name":"x","allowMultipleAllocations":true,"capacity":{
      "cores":{"value":"8","requestPolicy":{"default":"1","validValues":["1","2","6"]}},
      "memory":{"value":"4Gi"}}})");
  AddClaim("held", kOneGpu,
           Allocated("x", R"(,"shareID":"s","consumedCapacity":{"cores":"3","memory":"1Gi"})"));
  runner_.handle().Add(MakePod().Name("holder").Uid("h").Node("n").ResourceClaim("held").Obj());
  runner_.handle().Add(MakePod().Name("other").Uid("o").Node("n").Obj());
  auto asking = [this](std::string_view amounts) {
    return Culprit(
        Request(std::string(R"(,"capacity":{"requests":{)").append(amounts).append("}}")));
  };
  struct {
    std::string_view amounts;
    std::string_view want;
  } cases[] = {
      {R"("cores":"5","memory":"1Gi")",
       R"("capacity":"cores","asked":"6","left":"5","pods":["default/holder"])"},
      {R"("memory":"3584Mi")",
       R"("capacity":"memory","asked":"3584Mi","left":"3Gi","pods":["default/holder"])"},
      {R"("cores":"7","memory":"1")", R"("capacity":"cores","asked":"7","isAllowed":false)"},
      {R"("none":"1")", R"("capacity":"none","asked":"1")"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(asking(c.amounts),
              Written("1", std::string(R"({"rule":"capacity","devices":1,"device":"d/n/x",)")
                               .append(c.want)
                               .append("}")));
  }
}

// Goal: which counter is short, and by how much; the pods whose devices take counters of the set.
TEST_F(DynamicResourcesCulpritTest, NamesTheCounterThatIsShort) {
  AddNode("n");
  auto device = [](std::string_view name, std::string_view set, std::string_view memory) {
    return std::string(R"({"name":")").append(name) + R"(","consumesCounters":[{"counterSet":")" +
           std::string(set) + R"(","counters":{"memory":{"value":")" + std::string(memory) +
           R"("}}}]})";
  };
  auto add_slice = [this](std::string_view name, std::string_view members) {
    std::string json = R"({"metadata":{"name":")";
    json.append(name).append(R"("},"spec":{"driver":"d","nodeName":"n","pool":{"name":"n",)");
    json.append(R"("generation":1,"resourceSliceCount":2},)").append(members).append("}}");
    dra().MutableSlices().Put(std::make_shared<const ResourceSlice>(MakeResourceSlice(json)));
  };
  add_slice("counters", R"("sharedCounters":[
      {"name":"a","counters":{"engines":{"value":"9"},"memory":{"value":"40Gi"}}},
      {"name":"b","counters":{"memory":{"value":"40Gi"}}}])");
  add_slice("devices", "\"devices\":[" + device("a1", "a", "30Gi") + "," +
                           device("a2", "a", "20Gi") + "," + device("a3", "a", "20Gi") + "," +
                           device("b1", "b", "30Gi") + "," + device("b2", "b", "20Gi") + "]");
  AddClaim("held", kOneGpu, Allocated("a1"));
  AddClaim("held-b", kOneGpu, Allocated("b1"));
  runner_.handle().Add(MakePod().Name("holder").Uid("h").Node("n").ResourceClaim("held").Obj());
  runner_.handle().Add(MakePod().Name("in-b").Uid("b").Node("n").ResourceClaim("held-b").Obj());
  const std::string text = Culprit(Request("", "2"));
  EXPECT_NE(text.find(R"("left":0,"missing":2,"refused":[{"rule":"inUse","devices":2,)"
                      R"("device":"d/n/a1","pods":["default/holder","default/in-b"]},)"
                      R"({"rule":"counters","devices":3,"device":"d/n/a2","counterSet":"a",)"
                      R"("counter":"memory","asked":"20Gi","left":"10Gi",)"
                      R"("pods":["default/holder"]}])"),
            std::string::npos)
      << text;
}

// Goal: a counter that the other devices of the pod take, with what they leave.
TEST_F(DynamicResourcesCulpritTest, NamesTheCounterThatIsShortTogether) {
  AddNode("n");
  dra().MutableSlices().Put(std::make_shared<const ResourceSlice>(MakeResourceSlice(
      R"({"metadata":{"name":"counters"},"spec":{"driver":"d","nodeName":"n","pool":{"name":"n",
          "generation":1,"resourceSliceCount":2},
          "sharedCounters":[{"name":"a","counters":{"memory":{"value":"40Gi"}}}]}})")));
  dra().MutableSlices().Put(std::make_shared<const ResourceSlice>(MakeResourceSlice(
      R"({"metadata":{"name":"devices"},"spec":{"driver":"d","nodeName":"n","pool":{"name":"n",
          "generation":1,"resourceSliceCount":2},"devices":[
          {"name":"x","consumesCounters":[{"counterSet":"a","counters":{"memory":{"value":"30Gi"}}}]},
          {"name":"y","consumesCounters":[{"counterSet":"a","counters":{"memory":{"value":"20Gi"}}}]}
          ]}})")));
  const std::string text = Culprit(Request("", "2"));
  EXPECT_NE(text.find(R"({"rule":"counters","devices":1,"device":"d/n/y","isTogether":true,)"
                      R"("counterSet":"a","counter":"memory","asked":"20Gi","left":"10Gi"})"),
            std::string::npos)
      << text;
}

TEST_F(DynamicResourcesCulpritTest, NamesTheConstraint) {
  AddNode("n");
  AddSlice(
      "n",
      R"({"name":"x","attributes":{"a":{"int":1}}},{"name":"y","attributes":{"a":{"int":2}}})");
  auto claim = [](std::string_view kind) {
    std::string json = R"({"metadata":{"namespace":"default","name":"c","uid":"uid-c"},)";
    json.append(R"("spec":{"devices":{"requests":[)").append(Request("", "2"));
    return json.append(R"(],"constraints":[{")").append(kind).append(R"(":"d/a"}]}}})");
  };
  dra().claims().Put(
      std::make_shared<const ResourceClaim>(MakeResourceClaim(claim("matchAttribute"))));
  EXPECT_NE(Culprit(PodWith("c"))
                .find(R"("left":1,"missing":1,"refused":[{"rule":"constraint","devices":1,)"
                      R"("device":"d/n/y","isTogether":true,"matchAttribute":"d/a"}])"),
            std::string::npos);
}

TEST_F(DynamicResourcesCulpritTest, NamesPoolsThatCannotBeUsed) {
  AddNode("n");
  AddSlice("n", R"({"name":"x"},{"name":"x"})");
  EXPECT_EQ(Culprit(kOneGpu),
            Written("0", "", R"({"pool":"d/n","problem":"duplicate device name"})"));
}

TEST_F(DynamicResourcesCulpritTest, NamesClaimsThatAreElsewhere) {
  AddNode("n");
  EXPECT_EQ(Culprit(kOneGpu, R"(,"status":{"allocation":{"devices":{"results":[
      {"request":"r","driver":"d","pool":"m","device":"x"}]},"nodeSelector":{"nodeSelectorTerms":[
      {"matchFields":[{"key":"metadata.name","operator":"In","values":["m"]}]}]}}})"),
            R"({"unavailableClaims":["default/c"]})");
}

TEST_F(DynamicResourcesCulpritTest, ExplainsExtendedResources) {
  AddNode("n");
  AddClass("gpu", R"({"extendedResourceName":"example.com/gpu"})");
  Pod pod = MakePod().Name("p").Uid("uid-p").Req({{"example.com/gpu", "1"}});
  std::string text = Culprit(pod);
  EXPECT_EQ(text.find(R"({"deviceRequests":[{"request":)"), 0u) << text;
  EXPECT_EQ(text.find("claim"), std::string::npos) << text;
}

TEST_F(DynamicResourcesCulpritTest, IsBounded) {
  AddNode("n");
  AddSlice("n", R"({"name":"x"})");
  std::string expression(299, 'e');
  expression += "äö";
  std::string text =
      Culprit(Request(R"(,"selectors":[{"cel":{"expression":")" + expression + R"("}}])"));
  EXPECT_NE(text.find("\"" + std::string(299, 'e') + "…\""), std::string::npos) << text;
  std::string requests;
  for (int index = 0; index < 40; ++index) {
    requests += R"({"name":"r)" + std::to_string(index) +
                R"(","exactly":{"deviceClassName":"gpu",)" +
                R"("allocationMode":"ExactCount","count":1}},)";
  }
  requests.pop_back();
  text = Culprit(requests);
  EXPECT_NE(text.find(R"("request":"r31")"), std::string::npos);
  EXPECT_EQ(text.find(R"("request":"r32")"), std::string::npos);
  EXPECT_NE(text.find(R"("deviceRequestsOmitted":8)"), std::string::npos);
}

// Goal: a device that cannot be had is nearer than none; of alternatives the best counts.
TEST_F(DynamicResourcesCulpritTest, MeasuresWhatIsMissing) {
  for (std::string_view node : {"none", "one", "taken"}) AddNode(node);
  AddSlice("one", R"({"name":"x"})");
  AddSlice("taken", R"({"name":"x"},{"name":"y","taints":[{"key":"k","effect":"NoSchedule"}]})");
  AddClaim("c", Request("", "2"));
  const Pod pod = PodWith("c");
  EXPECT_EQ(Missing(pod, "none"), 1000);
  EXPECT_EQ(Missing(pod, "one"), 500);
  EXPECT_EQ(Missing(pod, "taken"), 250);
  AddClaim("c", R"({"name":"r","firstAvailable":[
      {"name":"four","deviceClassName":"gpu","allocationMode":"ExactCount","count":4},
      {"name":"two","deviceClassName":"gpu","allocationMode":"ExactCount","count":2}]})");
  EXPECT_EQ(Missing(pod, "one"), 500);
}

}  // namespace
}  // namespace stowage
