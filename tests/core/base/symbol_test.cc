#include "core/base/symbol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace stowage {
namespace {

// Goal: equal texts share one entry. Method: identities of symbols created separately.
TEST(Symbol, EqualTextsShareOneEntry) {
  Symbol a("symbol-test-name");
  Symbol b(std::string("symbol-test-") + "name");
  Symbol other("symbol-test-other");
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.id(), b.id());
  EXPECT_NE(a, other);
  EXPECT_NE(a.id(), other.id());
  EXPECT_EQ(a.view(), "symbol-test-name");
  EXPECT_EQ(a.str(), "symbol-test-name");
  EXPECT_TRUE(a == "symbol-test-name");
  EXPECT_FALSE(a == "symbol-test-nam");
}

TEST(Symbol, TheEmptyTextNeedsNoEntry) {
  size_t before = Symbol::LiveCount();
  Symbol empty("");
  EXPECT_EQ(Symbol::LiveCount(), before);
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty, Symbol());
  EXPECT_EQ(empty.id(), 0u);
  EXPECT_EQ(empty.view(), "");
}

TEST(Symbol, KeepsBytesOfAnyKind) {
  std::string_view with_nul("a\0b", 3);
  Symbol symbol(with_nul);
  EXPECT_EQ(symbol.view(), with_nul);
  EXPECT_NE(symbol, Symbol("a"));
  EXPECT_NE(symbol, Symbol(std::string_view("a\0c", 3)));
}

// Goal: an entry lives exactly as long as its symbols. Method: count after each kind of copy and
// move.
TEST(Symbol, IsFreedWithItsLastCopy) {
  size_t before = Symbol::LiveCount();
  {
    Symbol first("symbol-test-counted");
    EXPECT_EQ(Symbol::LiveCount(), before + 1);
    Symbol copy = first;
    Symbol moved = std::move(first);
    Symbol assigned;
    assigned = copy;
    Symbol& same = copy;
    copy = same;
    EXPECT_EQ(Symbol::LiveCount(), before + 1);
    assigned = Symbol("symbol-test-second");
    EXPECT_EQ(Symbol::LiveCount(), before + 2);
    moved = Symbol();
    EXPECT_EQ(copy, "symbol-test-counted");
    copy = Symbol();
    EXPECT_EQ(Symbol::LiveCount(), before + 1);
  }
  EXPECT_EQ(Symbol::LiveCount(), before);
}

TEST(Symbol, FindNeverAddsAnEntry) {
  size_t before = Symbol::LiveCount();
  EXPECT_TRUE(Symbol::Find("symbol-test-not-interned").empty());
  EXPECT_TRUE(Symbol::Find("").empty());
  EXPECT_EQ(Symbol::LiveCount(), before);
  Symbol held("symbol-test-held");
  EXPECT_EQ(Symbol::Find("symbol-test-held"), held);
  EXPECT_EQ(Symbol::LiveCount(), before + 1);
}

TEST(Symbol, IsOrderedByBytes) {
  std::vector<std::string> texts = {"b", "", "a", "B", "\xc3\xa4", "ab", "a\x01", "z"};
  std::vector<Symbol> symbols(texts.begin(), texts.end());
  std::sort(texts.begin(), texts.end());
  std::sort(symbols.begin(), symbols.end());
  for (size_t index = 0; index < texts.size(); ++index) EXPECT_EQ(symbols[index], texts[index]);
}

// Goal: the table stays correct through growth and removal. Method: many more names than its first
// capacity, of which some have one hash, every third one dropped.
TEST(Symbol, SurvivesGrowthAndRemoval) {
  constexpr int kNames = 200'000;
  size_t before = Symbol::LiveCount();
  std::vector<Symbol> held;
  for (int number = 0; number < kNames; ++number) {
    held.emplace_back("symbol-test-" + std::to_string(number));
  }
  EXPECT_EQ(Symbol::LiveCount(), before + kNames);
  for (int number = 0; number < kNames; number += 3) held[static_cast<size_t>(number)] = Symbol();
  for (int number = 0; number < kNames; ++number) {
    Symbol found = Symbol::Find("symbol-test-" + std::to_string(number));
    EXPECT_EQ(found, held[static_cast<size_t>(number)]);
    EXPECT_EQ(found.empty(), number % 3 == 0);
  }
  held.clear();
  EXPECT_EQ(Symbol::LiveCount(), before);
}

}  // namespace
}  // namespace stowage
