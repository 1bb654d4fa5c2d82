// RawMember is one member of a JSON object, and RawValue a JSON value, whose text is kept.
#pragma once

#include "core/base/symbol.h"

namespace stowage {

struct RawMember {
  Symbol name;
  Symbol json;  // compact; members keep their order

  friend bool operator==(const RawMember&, const RawMember&) = default;
};

struct RawValue {
  Symbol json;  // compact; empty if absent

  friend bool operator==(const RawValue&, const RawValue&) = default;
};

}  // namespace stowage
