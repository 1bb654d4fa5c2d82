// RawMember is one member of a JSON object that is kept as it was written.
#pragma once

#include "core/base/symbol.h"

namespace stowage {

struct RawMember {
  Symbol name;
  Symbol json;  // compact; the members of its objects in the order given

  friend bool operator==(const RawMember&, const RawMember&) = default;
};

}  // namespace stowage
