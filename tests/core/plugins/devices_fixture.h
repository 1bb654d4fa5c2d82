// DevicesTest is a cluster with devices for tests of DynamicResources: class "gpu" selects all
// devices of slices.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/dra/claim_text.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/dynamic_resources.h"
#include "tests/support/from_json.h"
#include "tests/support/plugin_runner.h"
#include "tests/support/run_to_end.h"

namespace stowage {

inline PluginArgs DevicesArgs(Duration filter_timeout = {10'000'000'000},
                              Duration binding_timeout = {600'000'000'000}) {
  return DynamicResourcesArgs{filter_timeout, binding_timeout};
}

class DevicesTest : public testing::Test {
 protected:
  explicit DevicesTest(PluginArgs args = DevicesArgs()) : runner_(std::move(args)) {
    AddClass("gpu");
  }

  DraManager& dra() { return runner_.handle().dra(); }
  DynamicResources& plugin() { return runner_.plugin(); }
  CycleState& state() { return runner_.state(); }
  FakeApiClient& api() { return runner_.handle().fake_background().api; }

  void AddClass(std::string_view name, std::string_view spec = "{}") {
    std::string json = R"({"metadata":{"name":")";
    json.append(name).append(R"("},"spec":)").append(spec).append("}");
    dra().PutDeviceClass(std::make_shared<const DeviceClass>(MakeDeviceClass(json)));
  }
  void AddNode(std::string_view name) { runner_.handle().Add(MakeNode().Name(name).Obj()); }
  // A slice of the node with these devices: `{"name":"x"},{"name":"y"}`.
  void AddSlice(std::string_view node, std::string_view devices) {
    std::string json = R"({"metadata":{"name":")";
    json.append(node).append(R"("},"spec":{"driver":"d","pool":{"name":")").append(node);
    json.append(R"(","generation":1,"resourceSliceCount":1},"nodeName":")").append(node);
    json.append(R"(","devices":[)").append(devices).append("]}}");
    dra().MutableSlices().Put(std::make_shared<const ResourceSlice>(MakeResourceSlice(json)));
  }
  // `rest` are further members of the claim, or members of metadata if it begins with "metadata:".
  ResourceClaimRef AddClaim(std::string_view name, std::string_view requests,
                            std::string_view rest = "", std::string_view metadata = "") {
    std::string json = R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{)";
    json.append(R"("namespace":"default","name":")").append(name).append(R"(","uid":"uid-)");
    json.append(name).append("\"").append(metadata);
    json.append(R"(},"spec":{"devices":{"requests":[)");
    json.append(requests).append("]}}").append(rest).append("}");
    auto claim = std::make_shared<const ResourceClaim>(MakeResourceClaim(json));
    dra().claims().Put(claim);
    return claim;
  }
  ResourceClaimRef GetClaim(std::string_view name) {
    return dra().claims().Get({Symbol("default"), Symbol(name)});
  }
  // One device of class "gpu".
  static constexpr std::string_view kOneGpu =
      R"({"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}})";

  static Pod PodWith(std::string_view claim) {
    return MakePod().Name("p").Uid("uid-p").ResourceClaim(claim);
  }
  // The device of the claim's only result.
  static std::string DeviceOf(const ResourceClaim& claim) {
    if (!claim.status.allocation) return "none";
    return claim.status.allocation->devices.results.at(0).device.str();
  }

  PluginRunner<DynamicResources> runner_;
};

}  // namespace stowage
