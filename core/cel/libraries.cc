#include "core/cel/libraries.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/cel/rune_ranges.h"
#include "core/cel/runes.h"

namespace stowage::cel {
namespace {

constexpr uint64_t kListCreationCost = 10;
constexpr uint64_t kRegexDivisor = 4;  // an expression within a pattern takes about 4 characters

// The cost of reading a value as a whole. The same list may be in it many times, so that visits are
// bounded: a cost that exceeds every limit takes fewer.
class Traversal {
 public:
  uint64_t CostOf(const Value& value) {
    if (visits_left_ == 0) return kVisitsMax;
    --visits_left_;
    uint64_t cost = 0;
    switch (value.kind()) {
      case Kind::kString:
      case Kind::kBytes:
        return value.text().size() / 10;
      case Kind::kList:
        for (const Value& item : value.items()) cost = Sum(cost, CostOf(item));
        return cost;
      case Kind::kMap:
      case Kind::kObject:
        for (const MapEntry& entry : value.entries()) {
          cost = Sum(cost, Sum(CostOf(entry.key), CostOf(entry.value)));
        }
        return cost;
      default:
        return 1;
    }
  }

 private:
  static constexpr uint64_t kVisitsMax = 10'000'000;

  static uint64_t Sum(uint64_t a, uint64_t b) { return std::min(a + b, kVisitsMax); }

  uint64_t visits_left_ = kVisitsMax;
};

bool IsPrintable(uint32_t rune) {
  if (rune < 0x80) return rune >= ' ' && rune < 0x7F;
  RuneRanges ranges;
  for (std::string_view category : {"L", "M", "N", "P", "S"}) {
    AppendUnicodeClass(category, &ranges);
  }
  Normalize(&ranges);
  return Contains(ranges.data(), ranges.size(), rune);
}

}  // namespace

uint64_t CostOfFirstTwice(const Call& call, const Value&) {
  return TraversalCost(call[0].size(), 2);
}

uint64_t CostOfTraversal(const Call& call, const Value&) { return Traversal().CostOf(call[0]); }

uint64_t CostOfRegex(const Call& call, const Value&) {
  uint64_t pattern = (call[1].size() + kRegexDivisor - 1) / kRegexDivisor;
  return TraversalCost(call[0].size() + 1) * pattern;
}

uint64_t CostOfList(const Call&, const Value& result) {
  return 1 + kListCreationCost + result.size();
}

std::string Quoted(std::string_view text) {
  constexpr std::string_view kNamed = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kNames = "abfnrtv\\\"";
  std::string quoted = "\"";
  while (!text.empty()) {
    Rune rune = DecodeRune(text);
    std::string_view bytes = text.substr(0, rune.width);
    text.remove_prefix(rune.width);
    size_t named = rune.value < 0x80 ? kNamed.find(bytes) : std::string_view::npos;
    if (named != std::string_view::npos) {
      quoted.append("\\").append(1, kNames[named]);
    } else if (rune.is_invalid() || rune.value < ' ' || rune.value == 0x7F) {
      quoted += fmt::format("\\x{:02x}", static_cast<uint8_t>(bytes[0]));
    } else if (IsPrintable(rune.value)) {
      quoted += bytes;
    } else {
      quoted += rune.value < 0x10000 ? fmt::format("\\u{:04x}", rune.value)
                                     : fmt::format("\\U{:08x}", rune.value);
    }
  }
  return quoted + '"';
}

}  // namespace stowage::cel
