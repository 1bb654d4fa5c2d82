// SelectorEvaluator tells whether a device satisfies a CEL expression (spec
// plugins/dynamic-resources-cel).
#pragma once

#include <string>

#include "core/api/resource_slice.h"
#include "core/base/result.h"

namespace stowage {

class SelectorEvaluator {
 public:
  virtual ~SelectorEvaluator() = default;

  // `device` is one of the slice's devices, which live as long as the slice. The fault begins with
  // "CEL compile error: " or "CEL runtime error: ". `shows_multiple_allocations`: whether the
  // expression sees the device's allowMultipleAllocations; if not, it sees false.
  virtual Result<bool, std::string> Matches(const Symbol& expression, const ResourceSliceRef& slice,
                                            const Device& device,
                                            bool shows_multiple_allocations) = 0;
};

}  // namespace stowage
