// Compact tables of Unicode 15.0: UnicodeData.txt, CaseFolding.txt and Scripts.txt.
//
// Numbers above a byte are written seven bits at a time, the lowest first; the high bit marks that
// another byte follows.
#pragma once

#include <cstdint>
#include <span>

namespace stowage::cel {

// The general category of every code point, in runs from 0 to 0x10FFFF: a byte with the category in
// its low five bits (the places of kCategoryNames in rune_ranges.cc) and the length, 1 … 7, in the
// others; if these are 0, the length less 8 follows. The categories 30 and 31 stand for runs of
// alternating letters that begin with an uppercase (30) or a lowercase (31) letter.
extern const std::span<const uint8_t> kCategoryRuns;

// Simple case folding: runs of code points that fold by the same difference. Three numbers each:
// the distance of the first code point to that of the last run; twice the length less 1, plus 1 if
// only every second code point folds; the difference, doubled, or doubled and less 1 if negative.
extern const std::span<const uint8_t> kFoldRuns;

// Ranges: the distance from the end of the last one, and from first to last.
extern const std::span<const uint8_t> kLatin;
extern const std::span<const uint8_t> kGreek;
extern const std::span<const uint8_t> kCyrillic;
extern const std::span<const uint8_t> kHan;

}  // namespace stowage::cel
