// The named classes of regular expressions.
#pragma once

#include <string_view>

#include "core/cel/rune_ranges.h"

namespace stowage::cel {

// Appends the members of \d, \s or \w, without regard to case. Returns false for other letters.
bool AppendPerlClass(char letter, RuneRanges* ranges);

// Appends the members of [:name:]. Returns false if the name is unknown.
bool AppendPosixClass(std::string_view name, RuneRanges* ranges);

}  // namespace stowage::cel
