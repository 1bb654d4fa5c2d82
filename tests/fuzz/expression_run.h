// Compiles an expression and evaluates it on a device, twice. Neither may crash, and both runs must
// say the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cel/device_environment.h"

namespace stowage {

struct ExpressionRun {
  std::string answer;  // "true", "false" or a message
  uint64_t cost = 0;
  bool has_compiled = false;
};

inline ExpressionRun RunExpression(std::string_view expression, bool has_lists) {
  using cel::AttributeValueView;
  static const AttributeValueView kText[] = {{AttributeValueView::Kind::kString, 0, "a100"}};
  static const AttributeValueView kNumber[] = {{AttributeValueView::Kind::kInt, 7, ""}};
  static const AttributeValueView kVersion[] = {{AttributeValueView::Kind::kVersion, 0, "1.2.3"}};
  const cel::AttributeView attributes[] = {
      {"a", kText, false}, {"b", kNumber, false}, {"other.example.com/a", kVersion, false}};
  const Quantity memory(40);
  const cel::CapacityView capacity[] = {{"a", &memory}};
  const cel::DeviceView device = {"a", true, attributes, capacity};
  const cel::DeviceGates gates = {true, has_lists};
  ExpressionRun run;
  auto selector = cel::DeviceSelector::Compile(expression, gates);
  run.has_compiled = selector.ok();
  if (!selector.ok()) {
    run.answer = selector.fault().message;
    return run;
  }
  auto result = selector->Evaluate(cel::DeviceInput(device, gates), &run.cost);
  run.answer = result.ok() ? (*result ? "true" : "false") : result.fault().message;
  return run;
}

}  // namespace stowage
