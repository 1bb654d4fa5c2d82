// RawMember is one member of a JSON object whose text is kept.
#pragma once

#include "core/base/symbol.h"

namespace stowage {

struct RawMember {
  Symbol name;
  Symbol json;  // compact; members keep their order

  friend bool operator==(const RawMember&, const RawMember&) = default;
};

}  // namespace stowage
