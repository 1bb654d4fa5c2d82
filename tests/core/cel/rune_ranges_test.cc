#include "core/cel/rune_ranges.h"

#include <gtest/gtest.h>

#include <string_view>

namespace stowage::cel {
namespace {

RuneRanges Class(std::string_view name) {
  RuneRanges ranges;
  EXPECT_TRUE(AppendUnicodeClass(name, &ranges)) << name;
  Normalize(&ranges);
  return ranges;
}

uint32_t CountMembers(const RuneRanges& ranges) {
  uint32_t count = 0;
  for (const RuneRange& range : ranges) count += range.last - range.first + 1;
  return count;
}

// Goal: the compact table holds every category. Method: how many code points Unicode 15.0 has of
// each; scripts by their numbers of ranges and members.
TEST(RuneRanges, HasTheCategoriesOfUnicode15) {
  struct {
    std::string_view name;
    uint32_t count;
  } cases[] = {
      {"Lu", 1831},      {"Ll", 2233},         {"Lt", 31},       {"Lm", 397},
      {"Lo", 131612},    {"Mn", 1985},         {"Mc", 452},      {"Me", 13},
      {"Nd", 680},       {"Nl", 236},          {"No", 915},      {"Pc", 10},
      {"Pd", 26},        {"Ps", 79},           {"Pe", 77},       {"Pi", 12},
      {"Pf", 10},        {"Po", 628},          {"Sm", 948},      {"Sc", 63},
      {"Sk", 125},       {"So", 6634},         {"Zs", 17},       {"Zl", 1},
      {"Zp", 1},         {"Cc", 65},           {"Cf", 170},      {"Cs", 2048},
      {"Co", 137468},    {"Cn", 825345},       {"L", 136104},    {"LC", 4095},
      {"M", 2450},       {"N", 1831},          {"P", 842},       {"S", 7770},
      {"Z", 19},         {"C", 965096},        {"Any", 1114112}, {"ASCII", 128},
      {"Han", 98408},    {"Assigned", 288767}, {"Latin", 1481},  {"Greek", 518},
      {"Cyrillic", 506},
  };
  for (const auto& c : cases) EXPECT_EQ(CountMembers(Class(c.name)), c.count) << c.name;
}

TEST(RuneRanges, KnowsLongNames) {
  EXPECT_EQ(Class("Letter"), Class("L"));
  EXPECT_EQ(Class("Uppercase_Letter"), Class("Lu"));
  EXPECT_EQ(Class("decimal number"), Class("Nd"));
  EXPECT_EQ(Class("SEPARATOR"), Class("Z"));
  EXPECT_EQ(Class("latin"), Class("Latin"));
  RuneRanges ranges;
  for (std::string_view name : {"", "Lx", "Greekish", " ", "uppercaseletter ll"}) {
    EXPECT_FALSE(AppendUnicodeClass(name, &ranges)) << name;
  }
}

TEST(RuneRanges, FindsMembers) {
  RuneRanges letters = Class("L");
  auto has = [&](uint32_t rune) { return Contains(letters.data(), letters.size(), rune); };
  for (uint32_t rune : {0x41u, 0x7Au, 0xAAu, 0x100u, 0x3A9u, 0x4E00u, 0x20000u}) {
    EXPECT_TRUE(has(rune)) << rune;
  }
  for (uint32_t rune : {0x40u, 0x5Bu, 0xD7u, 0x2028u, 0x10FFFFu}) EXPECT_FALSE(has(rune)) << rune;
}

TEST(RuneRanges, NormalizesAndNegates) {
  RuneRanges ranges = {{5, 9}, {1, 2}, {3, 3}, {8, 12}};
  Normalize(&ranges);
  EXPECT_EQ(ranges, (RuneRanges{{1, 3}, {5, 12}}));
  Negate(&ranges);
  EXPECT_EQ(ranges, (RuneRanges{{0, 0}, {4, 4}, {13, 0x10FFFF}}));
  Negate(&ranges);
  EXPECT_EQ(ranges, (RuneRanges{{1, 3}, {5, 12}}));
  RuneRanges none;
  Negate(&none);
  EXPECT_EQ(none, (RuneRanges{{0, 0x10FFFF}}));
  Negate(&none);
  EXPECT_TRUE(none.empty());
}

TEST(RuneRanges, AddsCaseVariants) {
  struct {
    RuneRanges ranges;
    RuneRanges with_variants;
  } cases[] = {
      {{{'b', 'b'}}, {{'B', 'B'}, {'b', 'b'}}},
      {{{'B', 'B'}}, {{'B', 'B'}, {'b', 'b'}}},
      {{{'K', 'K'}}, {{'K', 'K'}, {'k', 'k'}, {0x212A, 0x212A}}},
      {{{0x212A, 0x212A}}, {{'K', 'K'}, {'k', 'k'}, {0x212A, 0x212A}}},
      {{{0x3C2, 0x3C2}}, {{0x3A3, 0x3A3}, {0x3C2, 0x3C3}}},
      {{{0x101, 0x101}}, {{0x100, 0x101}}},
      {{{0x100, 0x103}}, {{0x100, 0x103}}},
      {{{0x1C4, 0x1C4}}, {{0x1C4, 0x1C6}}},
      {{{0x10400, 0x10401}}, {{0x10400, 0x10401}, {0x10428, 0x10429}}},
      {{{'0', '9'}}, {{'0', '9'}}},
  };
  for (auto& c : cases) {
    uint32_t first = c.ranges[0].first;
    AddCaseVariants(&c.ranges);
    EXPECT_EQ(c.ranges, c.with_variants) << first;
  }
}

}  // namespace
}  // namespace stowage::cel
