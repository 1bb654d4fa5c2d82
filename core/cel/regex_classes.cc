#include "core/cel/regex_classes.h"

namespace stowage::cel {
namespace {

using std::string_view_literals::operator""sv;

// A class of ASCII characters: its ranges are pairs of characters.
struct AsciiClass {
  std::string_view name;
  std::string_view ranges;
};
constexpr AsciiClass kClasses[] = {
    {"d", "09"},           {"s", "\t\n\f\r  "},
    {"w", "09AZ__az"},     {"alnum", "09AZaz"},
    {"alpha", "AZaz"},     {"ascii", "\0\x7F"sv},
    {"blank", "\t\t  "},   {"cntrl", "\0\x1F\x7F\x7F"sv},
    {"digit", "09"},       {"graph", "!~"},
    {"lower", "az"},       {"print", " ~"},
    {"punct", "!/:@[`{~"}, {"space", "\t\r  "},
    {"upper", "AZ"},       {"word", "09AZ__az"},
    {"xdigit", "09AFaf"},
};

bool AppendAsciiClass(std::string_view name, RuneRanges* ranges) {
  for (const AsciiClass& known : kClasses) {
    if (known.name != name) continue;
    for (size_t at = 0; at < known.ranges.size(); at += 2) {
      ranges->push_back(
          {static_cast<uint8_t>(known.ranges[at]), static_cast<uint8_t>(known.ranges[at + 1])});
    }
    return true;
  }
  return false;
}

}  // namespace

bool AppendPerlClass(char letter, RuneRanges* ranges) {
  return AppendAsciiClass(std::string_view(&letter, 1), ranges);
}

bool AppendPosixClass(std::string_view name, RuneRanges* ranges) {
  return name.size() > 1 && AppendAsciiClass(name, ranges);
}

}  // namespace stowage::cel
