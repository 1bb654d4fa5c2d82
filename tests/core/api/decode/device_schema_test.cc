// Goal: all fields of the kinds of resource.k8s.io that the scheduler uses are decoded
// (spec plugins/dynamic-resources, plugins/dynamic-resources-allocator).
#include "core/api/decode/device_schema.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/from_json.h"

namespace stowage {
namespace {

Quantity Q(std::string_view text) { return *Quantity::Parse(text); }

std::vector<std::string> Texts(const SharedList<Symbol>& symbols) {
  std::vector<std::string> texts;
  for (const Symbol& symbol : symbols) texts.push_back(symbol.str());
  return texts;
}

using Strings = std::vector<std::string>;

// Goal: the spec of a claim. Method: a claim with every field.
TEST(DeviceSchema, ReadsTheRequestsOfClaims) {
  ResourceClaim claim = MakeResourceClaim(R"({
      "metadata":{"name":"c","namespace":"ns","uid":"u","annotations":{"a":"1"},
        "finalizers":["f"],"ownerReferences":[{"kind":"Pod","name":"p","uid":"pu",
        "controller":true}]},
      "spec":{"devices":{
        "requests":[
          {"name":"one","exactly":{"deviceClassName":"gpu","allocationMode":"All","count":3,
            "adminAccess":false,"selectors":[{"cel":{"expression":"true"}},{}],
            "tolerations":[{"key":"k","operator":"Equal","value":"v","effect":"NoSchedule",
                            "tolerationSeconds":5}],
            "capacity":{"requests":{"memory":"1Gi"}}}},
          {"name":"two","firstAvailable":[{"name":"big","deviceClassName":"large","count":2,
            "adminAccess":true}]}],
        "constraints":[{"requests":["one"],"matchAttribute":"d/x"},{"distinctAttribute":"d/y"}],
        "config":[{"requests":["one"],"opaque":{"driver":"d",
          "parameters":{"b": 1.50, "a":{"kind":"X"}}}}]}}})");
  EXPECT_EQ(claim.metadata.annotations, (LabelMap{{"a", "1"}}));
  EXPECT_EQ(Texts(claim.metadata.finalizers), Strings{"f"});
  EXPECT_TRUE(claim.metadata.owner_references.at(0).controller);
  EXPECT_NE(claim.metadata.source, nullptr);
  const DeviceClaim& devices = claim.spec.devices;
  const ExactDeviceRequest& exactly = *devices.requests.at(0).exactly;
  EXPECT_EQ(exactly.device_class_name, "gpu");
  EXPECT_EQ(exactly.allocation_mode, "All");
  EXPECT_EQ(exactly.count, 3);
  EXPECT_EQ(exactly.admin_access, false);
  EXPECT_EQ(exactly.selectors.at(0).cel->expression, "true");
  EXPECT_FALSE(exactly.selectors.at(1).cel.has_value());
  EXPECT_EQ(exactly.tolerations.at(0),
            (DeviceToleration{Symbol("k"), Symbol("Equal"), Symbol("v"), Symbol("NoSchedule"), 5}));
  EXPECT_EQ(*exactly.capacity->requests.Find(Symbol("memory")), Q("1Gi"));
  const DeviceSubRequest& sub = devices.requests.at(1).first_available.at(0);
  EXPECT_FALSE(devices.requests.at(1).exactly.has_value());
  EXPECT_EQ(sub.name, "big");
  EXPECT_EQ(sub.request.device_class_name, "large");
  EXPECT_EQ(sub.request.count, 2);
  EXPECT_FALSE(sub.request.admin_access.has_value());
  EXPECT_EQ(Texts(devices.constraints.at(0).requests), Strings{"one"});
  EXPECT_EQ(devices.constraints.at(0).match_attribute, Symbol("d/x"));
  EXPECT_EQ(devices.constraints.at(1).distinct_attribute, Symbol("d/y"));
  EXPECT_EQ(devices.config.at(0).opaque->driver, "d");
  EXPECT_EQ(devices.config.at(0).opaque->parameters.json, R"({"b":1.50,"a":{"kind":"X"}})");
}

// Goal: the status of a claim. Method: a claim with every field.
TEST(DeviceSchema, ReadsTheStatusOfClaims) {
  ResourceClaim claim = MakeResourceClaim(R"({
      "metadata":{"name":"c","namespace":"ns","uid":"u"},
      "status":{
        "allocation":{
          "devices":{
            "results":[{"request":"a/b","driver":"d","pool":"p","device":"x","adminAccess":true,
              "tolerations":[{"operator":"Exists"}],"bindingConditions":["c1"],
              "bindingFailureConditions":["c2"],"shareID":"s","consumedCapacity":{"m":"2"}}],
            "config":[{"source":"FromClass","requests":["a"],"opaque":{"driver":"d",
              "parameters":{}}}]},
          "nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name",
            "operator":"In","values":["n"]}]}]},
          "allocationTimestamp":"2026-03-01T12:00:00Z"},
        "reservedFor":[{"apiGroup":"g","resource":"pods","name":"p","uid":"pu"}],
        "devices":[{"driver":"d","pool":"p","device":"x","shareID":"s","data":{"x":1},
          "conditions":[{"type":"c1","status":"True","reason":"r","message":"m"}]}]}})");
  const AllocationResult& allocation = *claim.status.allocation;
  const DeviceRequestAllocationResult& result = allocation.devices.results.at(0);
  EXPECT_EQ(result.request, "a/b");
  EXPECT_EQ(result.driver, "d");
  EXPECT_EQ(result.pool, "p");
  EXPECT_EQ(result.device, "x");
  EXPECT_EQ(result.admin_access, true);
  EXPECT_EQ(result.tolerations.at(0).op, "Exists");
  EXPECT_EQ(Texts(result.binding_conditions), Strings{"c1"});
  EXPECT_EQ(Texts(result.binding_failure_conditions), Strings{"c2"});
  EXPECT_EQ(result.share_id, Symbol("s"));
  EXPECT_EQ(*result.consumed_capacity.Find(Symbol("m")), Q("2"));
  const DeviceAllocationConfiguration& config = allocation.devices.config.at(0);
  EXPECT_EQ(config.source, "FromClass");
  EXPECT_EQ(Texts(config.requests), Strings{"a"});
  EXPECT_EQ(config.opaque->parameters.json, "{}");
  EXPECT_EQ(allocation.node_selector->node_selector_terms.at(0).match_fields.at(0).key,
            "metadata.name");
  EXPECT_EQ(allocation.allocation_timestamp, Instant::Parse("2026-03-01T12:00:00Z"));
  EXPECT_EQ(
      claim.status.reserved_for.at(0),
      (ResourceClaimConsumerReference{Symbol("g"), Symbol("pods"), Symbol("p"), Symbol("pu")}));
  const AllocatedDeviceStatus& device = claim.status.devices.at(0);
  EXPECT_EQ(device.share_id, Symbol("s"));
  EXPECT_EQ(device.conditions.at(0),
            (DeviceCondition{Symbol("c1"), Symbol("True"), Symbol("r"), "m"}));
  EXPECT_FALSE(MakeResourceClaim(R"({"metadata":{"name":"c","namespace":"n"},
                                     "status":{"allocation":null}})")
                   .status.allocation.has_value());
}

// Goal: slices, with their maps sorted. Method: a slice with every field.
TEST(DeviceSchema, ReadsResourceSlices) {
  ResourceSlice slice = MakeResourceSlice(R"({
      "metadata":{"name":"s","uid":"u"},
      "spec":{"driver":"d","pool":{"name":"p","generation":4,"resourceSliceCount":2},
        "nodeName":"n","allNodes":true,"perDeviceNodeSelection":true,
        "nodeSelector":{"nodeSelectorTerms":[{}]},
        "sharedCounters":[{"name":"set","counters":{"z":{"value":"3"},"a":{"value":"1"}}}],
        "devices":[{"name":"x","nodeName":"m","allNodes":true,"bindsToNode":true,
          "nodeSelector":{"nodeSelectorTerms":[]},"allowMultipleAllocations":true,
          "attributes":{"v":{"version":"1.0.0"},"i":{"int":1},"b":{"bool":false},
            "s":{"string":"t"},"l":{"ints":[1,2]},"m":{"bools":[true,false]},
            "n":{"strings":["q"]},"o":{"versions":["2.0.0"]},"v":{"version":"1.1.0"}},
          "capacity":{"memory":{"value":"8Gi","requestPolicy":{"default":"1Gi",
            "validValues":["1Gi","2Gi"],"validRange":{"min":"1","max":"2","step":"3"}}}},
          "consumesCounters":[{"counterSet":"set","counters":{"a":{"value":"1"}}}],
          "taints":[{"key":"k","value":"v","effect":"NoSchedule",
            "timeAdded":"2026-03-01T12:00:00Z"}],
          "bindingConditions":["c1"],"bindingFailureConditions":["c2"],
          "nodeAllocatableResourceMappings":{"cpu":{"capacityKey":"cores",
            "allocationMultiplier":"2"}}}]}})");
  const ResourceSliceSpec& spec = slice.spec;
  EXPECT_EQ(spec.driver, "d");
  EXPECT_EQ(spec.pool, (ResourcePool{Symbol("p"), 4, 2}));
  EXPECT_EQ(spec.node_name, "n");
  EXPECT_TRUE(spec.all_nodes);
  EXPECT_TRUE(spec.per_device_node_selection);
  EXPECT_EQ(spec.node_selector->node_selector_terms.size(), 1u);
  EXPECT_EQ(spec.shared_counters.at(0).name, "set");
  EXPECT_EQ(spec.shared_counters.at(0).counters.at(0).first, "a");
  EXPECT_EQ(spec.shared_counters.at(0).counters.at(1).second.value, Q("3"));
  const Device& device = spec.devices.at(0);
  EXPECT_EQ(device.name, "x");
  EXPECT_EQ(device.node_name, "m");
  EXPECT_TRUE(device.all_nodes);
  EXPECT_TRUE(device.binds_to_node);
  EXPECT_TRUE(device.node_selector.has_value());
  EXPECT_TRUE(device.allow_multiple_allocations);
  std::string names;
  for (const auto& [name, value] : device.attributes) names += name.view();
  EXPECT_EQ(names, "bilmnosv");
  auto attribute = [&](std::string_view name) {
    return *FindEntry(device.attributes, Symbol(name));
  };
  EXPECT_EQ(attribute("b").bool_value, false);
  EXPECT_EQ(attribute("i").int_value, 1);
  EXPECT_EQ(attribute("s").string_value, Symbol("t"));
  EXPECT_EQ(attribute("v").version_value, Symbol("1.1.0"));
  EXPECT_EQ(attribute("l").int_values, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(attribute("m").bool_values, (std::vector<std::optional<bool>>{true, false}));
  EXPECT_EQ(attribute("n").string_values, std::vector<Symbol>{Symbol("q")});
  EXPECT_EQ(attribute("o").version_values, std::vector<Symbol>{Symbol("2.0.0")});
  const DeviceCapacity& capacity = device.capacity.at(0).second;
  EXPECT_EQ(capacity.value, Q("8Gi"));
  EXPECT_EQ(capacity.request_policy->default_value, Q("1Gi"));
  EXPECT_EQ(capacity.request_policy->valid_values, (std::vector<Quantity>{Q("1Gi"), Q("2Gi")}));
  EXPECT_EQ(capacity.request_policy->valid_range->min, Q("1"));
  EXPECT_EQ(capacity.request_policy->valid_range->max, Q("2"));
  EXPECT_EQ(capacity.request_policy->valid_range->step, Q("3"));
  EXPECT_EQ(device.consumes_counters.at(0).counter_set, "set");
  EXPECT_EQ(device.consumes_counters.at(0).counters.at(0).second.value, Q("1"));
  EXPECT_EQ(device.taints.at(0), (DeviceTaint{Symbol("k"), Symbol("v"), Symbol("NoSchedule"),
                                              Instant::Parse("2026-03-01T12:00:00Z")}));
  EXPECT_EQ(Texts(device.binding_conditions), Strings{"c1"});
  EXPECT_EQ(Texts(device.binding_failure_conditions), Strings{"c2"});
  const auto& mapping = device.node_allocatable_resource_mappings.at(0);
  EXPECT_EQ(mapping.first, "cpu");
  EXPECT_EQ(mapping.second.capacity_key, Symbol("cores"));
  EXPECT_EQ(mapping.second.allocation_multiplier, Q("2"));
}

TEST(DeviceSchema, ReadsDeviceClassesAndTaintRules) {
  DeviceClass gpu = MakeDeviceClass(R"({"metadata":{"name":"gpu"},
      "spec":{"selectors":[{"cel":{"expression":"x"}}],"extendedResourceName":"e.com/gpu",
        "config":[{"opaque":{"driver":"d","parameters":{"a":1}}}]}})");
  EXPECT_EQ(gpu.spec.selectors.at(0).cel->expression, "x");
  EXPECT_EQ(gpu.spec.extended_resource_name, Symbol("e.com/gpu"));
  EXPECT_EQ(gpu.spec.config.at(0).opaque->parameters.json, R"({"a":1})");
  DeviceTaintRule rule = MakeDeviceTaintRule(R"({"metadata":{"name":"r"},
      "spec":{"deviceSelector":{"driver":"d","pool":"p","device":"x"},
        "taint":{"key":"k","effect":"None"}}})");
  EXPECT_EQ(rule.spec.device_selector,
            (DeviceTaintSelector{Symbol("d"), Symbol("p"), Symbol("x")}));
  EXPECT_EQ(rule.spec.taint.effect, "None");
}

// Goal: an error in a map names its key.
TEST(DeviceSchema, ReportsErrorsWithTheirPaths) {
  ObjectDecoding decoding = DecodeObject(
      R"({"metadata":{"name":"s"},"spec":{"devices":[{"capacity":{"m":{"value":"x"}},
          "attributes":{"a":{"int":"1"}}}]}})",
      InfoOf(ObjectKind::kResourceSlice), 64);
  ASSERT_EQ(decoding.field_errors.size(), 2u);
  EXPECT_EQ(decoding.field_errors[0].field, "spec.devices[0].capacity[m].value");
  EXPECT_EQ(decoding.field_errors[1].field, "spec.devices[0].attributes[a].int");
}

}  // namespace
}  // namespace stowage
