// RuneRanges is a set of code points: the classes of regular expressions.
//
// Source: Unicode 15.0, the version of Go's `unicode` package.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stowage::cel {

struct RuneRange {
  uint32_t first;
  uint32_t last;  // inclusive

  friend bool operator==(const RuneRange&, const RuneRange&) = default;
};

using RuneRanges = std::vector<RuneRange>;

// Sorts the ranges and joins those that overlap or touch. The functions below need and leave
// ranges in this form.
void Normalize(RuneRanges* ranges);
void Negate(RuneRanges* ranges);

// Adds every code point that differs from a member in case only.
void AddCaseVariants(RuneRanges* ranges);

// Appends the members of a general category ("L", "Lu", "Letter", "uppercase_letter"), of one of
// the scripts Latin, Greek, Cyrillic and Han, or of Any, ASCII and Assigned. As in Go from 1.25 on,
// case, spaces, '_' and '-' do not matter. Returns false if the name is unknown.
bool AppendUnicodeClass(std::string_view name, RuneRanges* ranges);

bool Contains(const RuneRange* ranges, size_t count, uint32_t rune);

}  // namespace stowage::cel
