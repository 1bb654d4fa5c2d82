// DeviceRefusals count why an allocator refused devices, to explain why a claim has none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/dra/device_id.h"

namespace stowage {

// The rule that refused a device, in the order in which an allocator applies them.
enum class Refusal : uint8_t {
  kInUse,              // allocated, or chosen for another request of these claims
  kBindingConditions,  // the device has some, and their gates are off
  kClassSelector,
  kSelector,  // of the request
  kNode,      // the node cannot use this device of the slice
  kCapacity,
  kCounters,
  kTaint,
  kConstraint,
};

class DeviceRefusals {
 public:
  // How many devices a rule refused for a request.
  struct Count {
    size_t claim = 0;  // index in the call
    Symbol request;    // "name" or "parent/name"
    Refusal refusal = Refusal::kInUse;
    size_t index = 0;  // of the selector or constraint, else 0
    size_t num_devices = 0;
  };
  struct PoolProblem {
    PoolId pool;
    std::string problem;  // "incomplete", or why it is invalid
  };

  // A device counts once for each request and rule, however often the search comes to it.
  void Add(const Count& kind, const DeviceId& device);
  void SetPools(size_t num_devices, std::vector<PoolProblem> problems);
  void SetFaultyDevice(const DeviceId& device) { faulty_device_ = device; }

  // By claim, request (by name), rule and index.
  std::vector<Count> Counts() const;
  // Of the pools for the node of the last call.
  size_t num_devices() const { return num_devices_; }
  const std::vector<PoolProblem>& pool_problems() const { return pool_problems_; }
  // The device on which an expression, or a node selector, failed.
  const std::optional<DeviceId>& faulty_device() const { return faulty_device_; }

 private:
  using Key = std::tuple<size_t, Symbol, Refusal, size_t>;
  using Devices = std::set<std::tuple<Symbol, Symbol, Symbol>>;

  std::map<Key, Devices> devices_;
  size_t num_devices_ = 0;
  std::vector<PoolProblem> pool_problems_;
  std::optional<DeviceId> faulty_device_;
};

}  // namespace stowage
