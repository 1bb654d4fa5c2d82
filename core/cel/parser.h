// The parser of expressions: CEL's grammar with optional syntax, macros expanded.
//
// Limits, as in cel-go: 250 nested levels. An expression has at most kBytesMax bytes.
#pragma once

#include <string_view>

#include "core/cel/ast.h"
#include "core/cel/issues.h"

namespace stowage::cel {

inline constexpr size_t kExpressionBytesMax = 10 * 1024;
inline constexpr int kDepthMax = 250;

struct ParserOptions {
  bool escaped_identifiers = false;  // a.`b-c`
};

// The tree of the source that `issues` has, built in `arena`, which keeps views of the source. Null
// if there are issues.
Node* Parse(Arena& arena, const ParserOptions& options, Issues* issues);

}  // namespace stowage::cel
