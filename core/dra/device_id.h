// DeviceId names a device: devices of two slices with equal names are one device.
#pragma once

#include <cstddef>

#include "core/base/symbol.h"

namespace stowage {

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
