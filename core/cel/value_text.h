// Texts of values in messages.
#pragma once

#include <string>

#include "core/cel/value.h"

namespace stowage::cel {

// As Go's %v prints a key: texts without quotes, numbers, bools; the type's name for any other.
std::string PlainText(const Value& value);

}  // namespace stowage::cel
