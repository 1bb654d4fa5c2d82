#include "core/cel/libraries.h"

#include <algorithm>

#include "core/base/format.h"
#include "core/cel/rune_ranges.h"
#include "core/cel/runes.h"

namespace stowage::cel {
namespace {

constexpr uint64_t kListCreationCost = 10;
constexpr uint64_t kRegexDivisor = 4;  // an expression within a pattern takes about 4 characters

uint64_t Traversal(const Value& value) {
  uint64_t cost = 0;
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return value.text().size() / 10;
    case Kind::kList:
      for (const Value& item : value.items()) cost += Traversal(item);
      return cost;
    case Kind::kMap:
    case Kind::kObject:
      for (const MapEntry& entry : value.entries()) {
        cost += Traversal(entry.key) + Traversal(entry.value);
      }
      return cost;
    default:
      return 1;
  }
}

RuneRanges PrintableRanges() {
  RuneRanges ranges;
  for (std::string_view category : {"L", "M", "N", "P", "S"}) {
    AppendUnicodeClass(category, &ranges);
  }
  Normalize(&ranges);
  return ranges;
}

bool IsPrintable(uint32_t rune) {
  if (rune < 0x80) return rune >= ' ' && rune < 0x7F;
  static const RuneRanges kPrintable = PrintableRanges();
  return Contains(kPrintable.data(), kPrintable.size(), rune);
}

}  // namespace

uint64_t CostOfFirstTwice(const Call& call, const Value&) {
  return TraversalCost(call[0].size(), 2);
}

uint64_t CostOfTraversal(const Call& call, const Value&) { return Traversal(call[0]); }

uint64_t CostOfRegex(const Call& call, const Value&) {
  uint64_t pattern = (call[1].size() + kRegexDivisor - 1) / kRegexDivisor;
  return TraversalCost(call[0].size() + 1) * pattern;
}

uint64_t CostOfList(const Call&, const Value& result) {
  return 1 + kListCreationCost + result.size();
}

namespace {

bool SpendWork(const Call& call, uint64_t work) {
  constexpr uint64_t kWorkMax = 10'000'000;
  call.Spend(work);
  return work <= kWorkMax;
}

}  // namespace

bool SpendPairs(const Call& call, const Value& a, const Value& b) {
  return SpendWork(call, std::min(a.items().size() * b.weight(), b.items().size() * a.weight()));
}

bool SpendSearch(const Call& call) {
  constexpr uint64_t kBytesPerStep = 16;
  return SpendWork(call, uint64_t{call[0].text().size()} * call[1].text().size() / kBytesPerStep);
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
      quoted += Format("\\x{:02x}", static_cast<uint8_t>(bytes[0]));
    } else if (IsPrintable(rune.value)) {
      quoted += bytes;
    } else {
      quoted +=
          rune.value < 0x10000 ? Format("\\u{:04x}", rune.value) : Format("\\U{:08x}", rune.value);
    }
  }
  return quoted + '"';
}

}  // namespace stowage::cel
