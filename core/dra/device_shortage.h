// DeviceShortage is what a device has too little of for a request: a counter that the devices of
// its pool share, or a capacity of its own (spec plugins/dynamic-resources-allocator "Counters",
// "Capacity test").
#pragma once

#include <cstdint>

#include "core/api/quantity.h"
#include "core/base/symbol.h"

namespace stowage {

struct DeviceShortage {
  enum class Kind : uint8_t {
    kTooLittle,  // less is left than is asked for
    kAbsent,     // the device has no such capacity
    kPolicy,     // the capacity's policy refuses the amount
  };

  Kind kind = Kind::kTooLittle;
  Symbol counter_set;  // empty: `name` is a capacity
  Symbol name;
  Quantity asked;
  Quantity left;  // kTooLittle only; negative if more is taken than there is

  friend bool operator==(const DeviceShortage&, const DeviceShortage&) = default;
};

}  // namespace stowage
