// DeviceId names a device: devices of two slices with equal names are one device. PoolId names a
// pool of devices.
#pragma once

#include <cstddef>

#include "core/base/symbol.h"

namespace stowage {

struct PoolId {
  Symbol driver;
  Symbol pool;

  friend bool operator==(const PoolId&, const PoolId&) = default;
};

// For HashMap: pools of one driver get numbers as close to each other as their names'.
struct PoolIdNumber {
  size_t operator()(const PoolId& id) const {
    return SymbolHash()(id.driver) + SymbolNumber()(id.pool);
  }
};

struct DeviceId {
  Symbol driver;
  Symbol pool;
  Symbol device;

  friend bool operator==(const DeviceId&, const DeviceId&) = default;
};

// For HashMap: devices of one pool get numbers as close to each other as their names'.
struct DeviceIdNumber {
  size_t operator()(const DeviceId& id) const {
    return SymbolHash()(id.driver) * 31 + SymbolHash()(id.pool) + SymbolNumber()(id.device);
  }
};

}  // namespace stowage
