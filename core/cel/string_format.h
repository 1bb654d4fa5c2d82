// The function format of the strings library, version 2: "%s has %d".format(["a", 1]).
#pragma once

#include "core/cel/ast.h"
#include "core/cel/functions.h"
#include "core/cel/issues.h"

namespace stowage::cel {

// Argument 0 is the format, argument 1 the list of its arguments. Clauses: %s %d %f %e %b %x %X %o,
// with a precision for %f and %e ("%.3f"), and %%.
// DIVERGENCE(format-precision): a precision above 1000 is an error.
Value FormatString(const Call& call);

// Reports what is wrong with a checked call whose format and list of arguments are literals.
void CheckFormat(const Node& call, Issues* issues);

}  // namespace stowage::cel
