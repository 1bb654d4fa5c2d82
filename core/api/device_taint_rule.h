// The fields of DeviceTaintRule (resource.k8s.io/v1beta2) that the scheduler reads with gate
// DRADeviceTaintRules (spec plugins/dynamic-resources).
#pragma once

#include <memory>
#include <optional>

#include "core/api/meta.h"
#include "core/api/resource_slice.h"

namespace stowage {

// The devices that agree with all fields that are set.
struct DeviceTaintSelector {
  std::optional<Symbol> driver;
  std::optional<Symbol> pool;
  std::optional<Symbol> device;

  friend bool operator==(const DeviceTaintSelector&, const DeviceTaintSelector&) = default;
};

struct DeviceTaintRuleSpec {
  std::optional<DeviceTaintSelector> device_selector;  // absent: all devices
  DeviceTaint taint;

  friend bool operator==(const DeviceTaintRuleSpec&, const DeviceTaintRuleSpec&) = default;
};

struct DeviceTaintRule {
  ObjectMeta metadata;
  DeviceTaintRuleSpec spec;
};

using DeviceTaintRuleRef = std::shared_ptr<const DeviceTaintRule>;

}  // namespace stowage
