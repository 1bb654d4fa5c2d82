// Macros: calls that the parser replaces by other expressions, mostly comprehensions.
#pragma once

#include <span>
#include <string_view>

#include "core/cel/ast.h"
#include "core/cel/issues.h"

namespace stowage::cel {

struct MacroCall {
  NodeBuilder build;  // at the place of the call
  Node* target;       // the receiver; null for a global macro
  std::span<Node* const> arguments;
  Issues& issues;

  // Reports an issue at `place`, and returns null.
  Node* Fail(const Node& place, std::string_view message) const;
};

// The expression that replaces the call, or null. `is_macro` tells whether the call is one; if so,
// null means that an issue was reported.
Node* ExpandMacro(const MacroCall& call, std::string_view name, bool* is_macro);

}  // namespace stowage::cel
