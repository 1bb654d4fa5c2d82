#include "core/cel/rune_ranges.h"

#include <algorithm>
#include <string>

#include "core/cel/runes.h"
#include "core/cel/unicode_tables.h"

namespace stowage::cel {
namespace {

constexpr uint32_t kUppercase = 0;
constexpr uint32_t kAlternatingFromUpper = 30;
constexpr uint32_t kNumCategories = 30;

// The categories in the order of their numbers: short name, long name.
constexpr std::string_view kCategoryNames =
    "lu uppercaseletter ll lowercaseletter lt titlecaseletter lm modifierletter lo otherletter "
    "mn nonspacingmark mc spacingmark me enclosingmark nd decimalnumber nl letternumber "
    "no othernumber pc connectorpunctuation pd dashpunctuation ps openpunctuation "
    "pe closepunctuation pi initialpunctuation pf finalpunctuation po otherpunctuation "
    "sm mathsymbol sc currencysymbol sk modifiersymbol so othersymbol zs spaceseparator "
    "zl lineseparator zp paragraphseparator cc control cf format cs surrogate co privateuse "
    "cn unassigned ";

// Names of several categories: those from `first` to `last`.
struct Group {
  std::string_view name;
  std::string_view long_name;
  uint8_t first;
  uint8_t last;
};
constexpr Group kGroups[] = {
    {"l", "letter", 0, 4},      {"lc", "casedletter", 0, 2},  {"m", "mark", 5, 7},
    {"n", "number", 8, 10},     {"p", "punctuation", 11, 17}, {"s", "symbol", 18, 21},
    {"z", "separator", 22, 24}, {"c", "other", 25, 29},       {"assigned", "", 0, 28},
    {"any", "", 0, 29},         {"nd", "digit", 8, 8},        {"cc", "cntrl", 25, 25},
    {"p", "punct", 11, 17},     {"m", "combiningmark", 5, 7},
};

uint32_t ReadNumber(std::span<const uint8_t>* bytes) {
  uint32_t value = 0;
  for (int shift = 0;; shift += 7) {
    uint8_t byte = bytes->front();
    *bytes = bytes->subspan(1);
    value |= (byte & 0x7Fu) << shift;
    if (byte < 0x80) return value;
  }
}

// Appends the code points of the categories whose bits are set.
void AppendCategories(uint32_t mask, RuneRanges* ranges) {
  auto has = [mask](uint32_t category) { return (mask >> category & 1) != 0; };
  std::span<const uint8_t> bytes = kCategoryRuns;
  uint32_t at = 0;
  while (!bytes.empty()) {
    uint32_t category = bytes[0] & 31;
    uint32_t length = bytes[0] >> 5;
    bytes = bytes.subspan(1);
    if (length == 0) length = ReadNumber(&bytes) + 8;
    if (category < kNumCategories) {
      if (has(category)) ranges->push_back({at, at + length - 1});
    } else {
      uint32_t first = category - kAlternatingFromUpper;  // 0 is Lu, 1 is Ll
      for (uint32_t place = 0; place < length; ++place) {
        if (has(kUppercase + (first + place) % 2)) ranges->push_back({at + place, at + place});
      }
    }
    at += length;
  }
}

void AppendScript(std::span<const uint8_t> bytes, RuneRanges* ranges) {
  uint32_t at = 0;
  while (!bytes.empty()) {
    uint32_t first = at + ReadNumber(&bytes);
    at = first + ReadNumber(&bytes);
    ranges->push_back({first, at});
  }
}

// The bits of the categories that the name stands for; 0 if it is none.
uint32_t CategoryMask(std::string_view name) {
  for (const Group& group : kGroups) {
    if (name != group.name && name != group.long_name) continue;
    return ((2u << group.last) - 1) & ~((1u << group.first) - 1);
  }
  std::string_view rest = kCategoryNames;
  for (uint32_t word = 0; !rest.empty(); ++word) {
    size_t end = rest.find(' ');
    if (rest.substr(0, end) == name) return 1u << word / 2;
    rest.remove_prefix(end + 1);
  }
  return 0;
}

// The name in lower case without spaces, '_' and '-'.
std::string Plain(std::string_view name) {
  std::string plain;
  for (char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

// A run of kFoldRuns.
struct FoldRun {
  uint32_t first;
  uint32_t count;
  uint32_t stride;
  int32_t difference;

  // Appends the variants of the members that are in `range`: what they fold to, or, if `is_back`,
  // what folds to them.
  void Append(RuneRange range, bool is_back, RuneRanges* out) const {
    auto from = static_cast<int64_t>(first) + (is_back ? difference : 0);
    auto last = from + static_cast<int64_t>(count - 1) * stride;
    int64_t low = std::max<int64_t>(from, range.first);
    int64_t high = std::min<int64_t>(last, range.last);
    low += (stride - static_cast<uint32_t>(low - from) % stride) % stride;
    if (low > high) return;
    int64_t shift = is_back ? -int64_t{difference} : difference;
    auto rune = [shift](int64_t member) { return static_cast<uint32_t>(member + shift); };
    if (stride == 1) {
      out->push_back({rune(low), rune(high)});
      return;
    }
    for (int64_t member = low; member <= high; member += stride) {
      out->push_back({rune(member), rune(member)});
    }
  }
};

void AddFolds(bool is_back, RuneRanges* ranges) {
  const RuneRanges before = *ranges;
  std::span<const uint8_t> bytes = kFoldRuns;
  uint32_t at = 0;
  while (!bytes.empty()) {
    at += ReadNumber(&bytes);
    uint32_t shape = ReadNumber(&bytes);
    uint32_t zigzag = ReadNumber(&bytes);
    auto magnitude = static_cast<int32_t>((zigzag + 1) / 2);
    FoldRun run{at, shape / 2 + 1, shape % 2 + 1, zigzag % 2 == 0 ? magnitude : -magnitude};
    for (const RuneRange& range : before) run.Append(range, is_back, ranges);
  }
  Normalize(ranges);
}

}  // namespace

void Normalize(RuneRanges* ranges) {
  auto precedes = [](const RuneRange& a, const RuneRange& b) { return a.first < b.first; };
  std::make_heap(ranges->begin(), ranges->end(), precedes);  // smaller code than std::sort
  std::sort_heap(ranges->begin(), ranges->end(), precedes);
  size_t count = 0;
  for (const RuneRange& range : *ranges) {
    if (count > 0 && range.first <= (*ranges)[count - 1].last + 1) {
      RuneRange& last = (*ranges)[count - 1];
      last.last = std::max(last.last, range.last);
    } else {
      (*ranges)[count++] = range;
    }
  }
  ranges->resize(count);
}

void Negate(RuneRanges* ranges) {
  RuneRanges gaps;
  uint32_t from = 0;
  for (const RuneRange& range : *ranges) {
    if (range.first > from) gaps.push_back({from, range.first - 1});
    from = range.last + 1;
  }
  if (from <= kRuneMax) gaps.push_back({from, kRuneMax});
  *ranges = std::move(gaps);
}

void AddCaseVariants(RuneRanges* ranges) {
  // All code points that differ in case only fold to one of them.
  AddFolds(false, ranges);
  AddFolds(true, ranges);
}

bool AppendUnicodeClass(std::string_view name, RuneRanges* ranges) {
  struct {
    std::string_view name;
    std::span<const uint8_t> bytes;
  } const scripts[] = {
      {"latin", kLatin}, {"greek", kGreek}, {"cyrillic", kCyrillic}, {"han", kHan}};
  std::string plain = Plain(name);
  if (plain.empty()) return false;
  if (plain == "ascii") {
    ranges->push_back({0, 0x7F});
    return true;
  }
  for (const auto& script : scripts) {
    if (script.name != plain) continue;
    AppendScript(script.bytes, ranges);
    return true;
  }
  uint32_t mask = CategoryMask(plain);
  if (mask == 0) return false;
  AppendCategories(mask, ranges);
  return true;
}

bool Contains(const RuneRange* ranges, size_t count, uint32_t rune) {
  const RuneRange* end = ranges + count;
  const RuneRange* found = std::lower_bound(
      ranges, end, rune, [](const RuneRange& range, uint32_t value) { return range.last < value; });
  return found != end && found->first <= rune;
}

}  // namespace stowage::cel
