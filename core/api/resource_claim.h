// The fields of ResourceClaim (resource.k8s.io/v1) that the scheduler reads
// (spec plugins/dynamic-resources).
//
// The scheduler writes claims as whole objects, so they keep their text (ObjectMeta::source).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/api/meta.h"
#include "core/api/pod.h"
#include "core/api/raw_member.h"
#include "core/api/resource_list.h"
#include "core/api/shared.h"

namespace stowage {

struct CelDeviceSelector {
  Symbol expression;

  friend bool operator==(const CelDeviceSelector&, const CelDeviceSelector&) = default;
};

struct DeviceSelector {
  std::optional<CelDeviceSelector> cel;

  friend bool operator==(const DeviceSelector&, const DeviceSelector&) = default;
};

// Unlike a pod's toleration it knows only the operators Equal and Exists.
struct DeviceToleration {
  Symbol key;
  Symbol op;  // "operator": empty, Equal, Exists
  Symbol value;
  Symbol effect;
  std::optional<int64_t> toleration_seconds = {};

  friend bool operator==(const DeviceToleration&, const DeviceToleration&) = default;
};

// Requested amounts by capacity name: "memory" or "domain/memory".
struct CapacityRequirements {
  ResourceList requests;

  friend bool operator==(const CapacityRequirements&, const CapacityRequirements&) = default;
};

struct ExactDeviceRequest {
  Symbol device_class_name;
  SharedList<DeviceSelector> selectors;
  Symbol allocation_mode;  // empty and ExactCount, All; others are errors
  int64_t count = 0;       // the API server's default is 1
  std::optional<bool> admin_access = {};
  SharedList<DeviceToleration> tolerations = {};
  std::optional<CapacityRequirements> capacity = {};

  friend bool operator==(const ExactDeviceRequest&, const ExactDeviceRequest&) = default;
};

// One of several alternatives of a request. It has no adminAccess.
struct DeviceSubRequest {
  Symbol name;
  ExactDeviceRequest request;

  friend bool operator==(const DeviceSubRequest&, const DeviceSubRequest&) = default;
};

// In a valid claim either `exactly` is set or `first_available` is not empty.
struct DeviceRequest {
  Symbol name;
  Shared<ExactDeviceRequest> exactly;
  SharedList<DeviceSubRequest> first_available;

  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};

// The names are fully qualified: "domain/id".
struct DeviceConstraint {
  SharedList<Symbol> requests;  // "name" or "name/subname"; empty: all requests
  std::optional<Symbol> match_attribute;
  std::optional<Symbol> distinct_attribute;

  friend bool operator==(const DeviceConstraint&, const DeviceConstraint&) = default;
};

struct OpaqueDeviceConfiguration {
  Symbol driver;
  RawMember parameters;  // "parameters" and its JSON; empty if absent

  friend bool operator==(const OpaqueDeviceConfiguration&,
                         const OpaqueDeviceConfiguration&) = default;
};

struct DeviceClaimConfiguration {
  SharedList<Symbol> requests;
  Shared<OpaqueDeviceConfiguration> opaque;

  friend bool operator==(const DeviceClaimConfiguration&,
                         const DeviceClaimConfiguration&) = default;
};

struct DeviceClaim {
  SharedList<DeviceRequest> requests;
  SharedList<DeviceConstraint> constraints;
  SharedList<DeviceClaimConfiguration> config;

  friend bool operator==(const DeviceClaim&, const DeviceClaim&) = default;
};

struct ResourceClaimSpec {
  DeviceClaim devices;

  friend bool operator==(const ResourceClaimSpec&, const ResourceClaimSpec&) = default;
};

// One allocated device.
struct DeviceRequestAllocationResult {
  Symbol request;  // "name" or "name/subname"
  Symbol driver;
  Symbol pool;
  Symbol device;
  std::optional<bool> admin_access = {};
  SharedList<DeviceToleration> tolerations = {};
  SharedList<Symbol> binding_conditions = {};
  SharedList<Symbol> binding_failure_conditions = {};
  std::optional<Symbol> share_id = {};
  ResourceList consumed_capacity = {};

  friend bool operator==(const DeviceRequestAllocationResult&,
                         const DeviceRequestAllocationResult&) = default;
};

struct DeviceAllocationConfiguration {
  Symbol source;  // FromClass, FromClaim
  SharedList<Symbol> requests;
  Shared<OpaqueDeviceConfiguration> opaque;

  friend bool operator==(const DeviceAllocationConfiguration&,
                         const DeviceAllocationConfiguration&) = default;
};

struct DeviceAllocationResult {
  SharedList<DeviceRequestAllocationResult> results;
  SharedList<DeviceAllocationConfiguration> config;

  friend bool operator==(const DeviceAllocationResult&, const DeviceAllocationResult&) = default;
};

struct AllocationResult {
  DeviceAllocationResult devices;
  std::optional<NodeSelector> node_selector;  // absent: available on every node
  std::optional<Instant> allocation_timestamp;

  friend bool operator==(const AllocationResult&, const AllocationResult&) = default;
};

struct ResourceClaimConsumerReference {
  Symbol api_group;  // empty for pods
  Symbol resource;   // "pods"
  Symbol name;
  Symbol uid;

  friend bool operator==(const ResourceClaimConsumerReference&,
                         const ResourceClaimConsumerReference&) = default;
};

struct DeviceCondition {
  Symbol type;
  Symbol status;
  Symbol reason;
  std::string message;

  friend bool operator==(const DeviceCondition&, const DeviceCondition&) = default;
};

// What a driver reports of an allocated device.
struct AllocatedDeviceStatus {
  Symbol driver;
  Symbol pool;
  Symbol device;
  std::optional<Symbol> share_id;
  SharedList<DeviceCondition> conditions;

  friend bool operator==(const AllocatedDeviceStatus&, const AllocatedDeviceStatus&) = default;
};

struct ResourceClaimStatus {
  Shared<AllocationResult> allocation;
  SharedList<ResourceClaimConsumerReference> reserved_for;
  SharedList<AllocatedDeviceStatus> devices;

  friend bool operator==(const ResourceClaimStatus&, const ResourceClaimStatus&) = default;
};

struct ResourceClaim {
  ObjectMeta metadata;  // with annotations and finalizers
  ResourceClaimSpec spec;
  ResourceClaimStatus status;
};

using ResourceClaimRef = std::shared_ptr<const ResourceClaim>;

}  // namespace stowage
