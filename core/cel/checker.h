// The checker: types of all nodes, and what identifiers and functions refer to.
// Source: spec plugins/dynamic-resources-cel.md, "Compilation" and "Language settings"; cel-go.
#pragma once

#include "core/cel/ast.h"
#include "core/cel/environment.h"
#include "core/cel/issues.h"

namespace stowage::cel {

struct Checked {
  const Type* type = nullptr;  // of the whole expression
  uint32_t num_slots = 0;      // variables of the environment and locals
};

// Annotates the tree and reports issues. Types live in `arena`.
Checked Check(Arena& arena, const Environment& environment, Node* root, Issues* issues);

}  // namespace stowage::cel
