// CelSelectors evaluates selectors with CEL (spec plugins/dynamic-resources-cel).
#pragma once

#include <memory>
#include <string>

#include "core/dra/selector_evaluator.h"

namespace stowage {

struct SelectorOptions {
  bool has_multiple_allocations = true;  // gate DRAConsumableCapacity
  bool has_list_attributes = false;      // gate DRAListTypeAttributes
};

// Compiles each expression once, as long as few are in use; keeps no verdicts.
std::unique_ptr<SelectorEvaluator> NewCelSelectors(const SelectorOptions& options);

}  // namespace stowage
