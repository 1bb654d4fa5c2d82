#include "core/cel/regex.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"

namespace stowage::cel {
namespace {

Regex Compiled(std::string_view pattern) {
  Result<Regex, RegexError> regex = Regex::Compile(pattern);
  EXPECT_TRUE(regex.ok()) << pattern << ": " << (regex.ok() ? "" : regex.fault().message);
  return regex.ok() ? regex.Take() : Regex();
}

// The matches one after the other, each with its place: "0:ab 3:".
std::string AllMatches(std::string_view pattern, std::string_view text) {
  Regex regex = Compiled(pattern);
  if (regex.program().empty()) return "no program";
  std::string all;
  for (RegexMatcher matcher(regex, text); matcher.FindNext();) {
    if (!all.empty()) all += ' ';
    all += std::to_string(matcher.begin()) + ":" + std::string(matcher.match());
  }
  return all;
}

std::string ErrorOf(std::string_view pattern) {
  Result<Regex, RegexError> regex = Regex::Compile(pattern);
  return regex.ok() ? "compiles" : regex.fault().message;
}

struct MatchCase {
  std::string_view pattern;
  std::string_view text;
  std::string_view matches;
};

void ExpectMatches(const std::vector<MatchCase>& cases) {
  for (const MatchCase& c : cases) {
    EXPECT_EQ(AllMatches(c.pattern, c.text), c.matches) << c.pattern << " in '" << c.text << "'";
  }
}

// Goal: the leftmost match that a backtracking engine finds first. Method: facts of Go's regexp.
TEST(Regex, FindsTheLeftmostFirstMatch) {
  ExpectMatches({
      {"a|ab", "ab", "0:a"},
      {"ab|a", "ab", "0:ab"},
      {"(a|ab)(c|bcd)", "abcd", "0:abcd"},
      {"b", "aab", "2:b"},
      {"a+", "baaac", "1:aaa"},
      {"a+?", "aaa", "0:a 1:a 2:a"},
      {"a*", "baab", "0: 1:aa 4:"},
      {"a*?", "aa", "0: 1: 2:"},
      {"", "ab", "0: 1: 2:"},
      {"a??b", "ab", "0:ab"},
      {"(a+)(b+)", "aabb", "0:aabb"},
      {"x*", "é", "0: 2:"},
      {"ab|cd|ef", "efcdab", "0:ef 2:cd 4:ab"},
      {"(|a)*", "aa", "0: 1: 2:"},
      {"(|a)+", "aa", "0: 1: 2:"},
      {"(a*)*", "aab", "0:aa 3:"},
      {"(a*)+", "aab", "0:aa 3:"},
      {"(a|b)*?c", "abc", "0:abc"},
      {"z", "abc", ""},
      {"a|", "ba", "0: 1:a"},
      {"(?U)a+", "aa", "0:a 1:a"},
      {"(?U)a+?", "aa", "0:aa"},
  });
}

TEST(Regex, CountsRepeats) {
  ExpectMatches({
      {"a{2}", "aaaaa", "0:aa 2:aa"},
      {"a{2,}", "aaaaa", "0:aaaaa"},
      {"a{2,3}", "aaaaa", "0:aaa 3:aa"},
      {"a{2,3}?", "aaaaa", "0:aa 2:aa"},
      {"a{0}b", "ab", "1:b"},
      {"a{0,1}b", "aab", "1:ab"},
      {"(ab){2}", "ababab", "0:abab"},
      {"(a|b){3}", "abab", "0:aba"},
      {"(a{2}){2}", "aaaaa", "0:aaaa"},
      {"a{,2}", "a{,2}", "0:a{,2}"},
      {"a{01}", "a{01}", "0:a{01}"},
      {"a{", "a{", "0:a{"},
      {"a{1", "a{1", "0:a{1"},
      {"^a{1000}$", std::string(1000, 'a'), std::string("0:") + std::string(1000, 'a')},
  });
}

TEST(Regex, HoldsAnchorsAndBoundaries) {
  ExpectMatches({
      {"^a", "aa", "0:a"},
      {"a$", "aa", "1:a"},
      {"^$", "", "0:"},
      {"^", "a\nb", "0:"},
      {"(?m)^.", "a\nb", "0:a 2:b"},
      {"(?m).$", "a\nb", "0:a 2:b"},
      {"$", "a\n", "2:"},
      {"(?m)$", "a\n", "1: 2:"},
      {"\\Ab", "a\nb", ""},
      {"(?m)\\Aa\\z", "a\n", ""},
      {"b\\z", "ab", "1:b"},
      {"\\bfoo\\b", "foo food foo", "0:foo 9:foo"},
      {"\\Boo\\b", "foo oo", "1:oo"},
      {"\\b", "é", ""},
      {"\\B", "", "0:"},
      {"^*a", "a", "0:a"},
  });
}

TEST(Regex, MatchesClasses) {
  ExpectMatches({
      {"[a-c]+", "xabcdx", "1:abc"},
      {"[^a-c]+", "abxyc", "2:xy"},
      {"[]a]+", "a]b", "0:a]"},
      {"[^]a]", "]ab", "2:b"},
      {"[a-]+", "a-b", "0:a-"},
      {"[-a]+", "a-b", "0:a-"},
      {"[a\\-z]+", "a-zb", "0:a-z"},
      {"[\\d\\s]+", "a1 2b", "1:1 2"},
      {"[^\\w]+", "a.,b", "1:.,"},
      {"\\d+", "a12\u0663", "1:12"},
      {"\\D+", "1ab2", "1:ab"},
      {"\\s", "\v\f", "1:\f"},
      {"\\S+", " ab ", "1:ab"},
      {"\\w+", "-a_1-", "1:a_1"},
      {"\\W", "a-", "1:-"},
      {"[[:alpha:]]+", "1ab2", "1:ab"},
      {"[[:^alpha:]]+", "a12b", "1:12"},
      {"[[:space:]]", "\v", "0:\v"},
      {"[[:xdigit:]-]+", "g-aF9z", "1:-aF9"},
      {"[[:punct:]]+", "a!~b", "1:!~"},
      {"[[:alpha]+", "[:alph1", "0:[:alph"},
      {"[\\x41-\\x43]+", "ABCD", "0:ABC"},
      {"[^\\x00-\\x{10FFFF}]", "a", ""},
      {".", "\n", ""},
      {"(?s).", "\n", "0:\n"},
      {"[^a]", "\n", "0:\n"},
      {".", "é", "0:é"},
      {"[à-é]", "é", "0:é"},
  });
}

TEST(Regex, MatchesUnicodeClasses) {
  ExpectMatches({
      {"\\pL+", "1aéΩЯ漢2", "1:aéΩЯ漢"},
      {"\\p{Lu}", "aÉ", "1:É"},
      {"\\p{Ll}", "Éa", "2:a"},
      {"\\PL+", "a12b", "1:12"},
      {"\\p{^L}+", "a12b", "1:12"},
      {"\\P{^L}+", "1ab2", "1:ab"},
      {"[\\pL\\d]+", "-é1-", "1:é1"},
      {"[^\\pN]+", "1ab2", "1:ab"},
      {"\\pN+", "a\u0663\u2167\u00BDb", "1:\u0663\u2167\u00BD"},
      {"\\p{Nd}+", "\u2167\u0663", "3:\u0663"},
      {"\\pP+", "a!\u00BFb", "1:!\u00BF"},
      {"\\pS+", "a+\u20ACb", "1:+\u20AC"},
      {"\\pZ+", "a \u00A0\u2028b", "1: \u00A0\u2028"},
      {"\\p{Latin}+", "Ωaéя", "2:aé"},
      {"\\p{Greek}+", "aΩωя", "1:Ωω"},
      {"\\p{Cyrillic}+", "aЯя", "1:Яя"},
      {"\\p{Han}+", "a漢字b", "1:漢字"},
      {"\\p{Letter}+", "1ab", "1:ab"},
      {"\\p{uppercase_letter}", "aB", "1:B"},
      {"\\p{Any}", "\n", "0:\n"},
      {"(?i)\\p{Lu}+", "aB1", "0:aB"},
  });
}

TEST(Regex, FoldsCase) {
  ExpectMatches({
      {"(?i)abc", "aBC", "0:aBC"},
      {"(?i)k", "\u212A", "0:\u212A"},
      {"(?i)[k-s]+", "K\u017F\u212A", "0:K\u017F\u212A"},
      {"(?i)[^k]", "kK\u212A", ""},
      {"(?i)σ", "ς", "0:ς"},
      {"(?i)É", "é", "0:é"},
      {"(?i)я", "Я", "0:Я"},
      {"a(?i)b", "aB", "0:aB"},
      {"a(?i)b", "AB", ""},
      {"(?i:a)b", "Ab", "0:Ab"},
      {"(?i:a)b", "AB", ""},
      {"((?i)a)b", "AB", ""},
      {"(?i)a(?-i)b", "Ab", "0:Ab"},
      {"(?i)a(?-i)b", "AB", ""},
      {"(?i)a|b", "B", "0:B"},
      {"(?i)\\W", "\u017F", ""},
      {"(?i)ß", "\u1E9E", "0:\u1E9E"},
  });
}

TEST(Regex, ReadsEscapesAndGroups) {
  ExpectMatches({
      {"\\x{1F600}", "\U0001F600", "0:\U0001F600"},
      {"\\101\\x42", "AB", "0:AB"},
      {"\\0", std::string_view("\0", 1), std::string_view("0:\0", 3)},
      {"\\a\\f\\t\\n\\r\\v", "\a\f\t\n\r\v", "0:\a\f\t\n\r\v"},
      {"\\.\\*\\_\\/", ".*_/", "0:.*_/"},
      {"\\Qa.*b\\E+", "a.*bb", "0:a.*bb"},
      {"\\Qa.", "a.", "0:a."},
      {"(?P<name>a)(?<other>b)", "ab", "0:ab"},
      {"(?P<n>a)(?P<n>b)", "ab", "0:ab"},
      {"(?:ab)+", "abab", "0:abab"},
      {"(?ms)^a.b$", "a\nb", "0:a\nb"},
      {"a(?i)*", "aa", "0:aa"},
      {"\xC3\xA9+", "éé", "0:éé"},
  });
}

// Goal: Go's messages. Method: one pattern per message and place.
TEST(Regex, ReportsErrors) {
  struct {
    std::string_view pattern;
    std::string_view message;
  } cases[] = {
      {"*", "missing argument to repetition operator: `*`"},
      {"+a", "missing argument to repetition operator: `+`"},
      {"(?i)*", "missing argument to repetition operator: `*`"},
      {"(*)", "missing argument to repetition operator: `*`"},
      {"a|*?", "missing argument to repetition operator: `*?`"},
      {"\\Q\\E*", "missing argument to repetition operator: `*`"},
      {"{2}", "missing argument to repetition operator: `{2}`"},
      {"(abc", "missing closing ): `(abc`"},
      {"abc)", "unexpected ): `abc)`"},
      {"x[a-z", "missing closing ]: `[a-z`"},
      {"[", "missing closing ]: `[`"},
      {"[]", "missing closing ]: `[]`"},
      {"[z-a]", "invalid character class range: `z-a`"},
      {"[a-\\d]", "invalid escape sequence: `\\d`"},
      {"[[:foo:]]", "invalid character class range: `[:foo:]`"},
      {"\\p{Klingon}", "invalid character class range: `\\p{Klingon}`"},
      {"\\p{Arabic}", "invalid character class range: `\\p{Arabic}`"},
      {"\\p{L", "invalid character class range: `\\p{L`"},
      {"\\pX", "invalid character class range: `\\pX`"},
      {"abc\\", "trailing backslash at end of expression: ``"},
      {"a**", "invalid nested repetition operator: `**`"},
      {"a*+b", "invalid nested repetition operator: `*+`"},
      {"a??*", "invalid nested repetition operator: `??*`"},
      {"a{2}{3}", "invalid nested repetition operator: `{2}{3}`"},
      {"a{1001}", "invalid repeat count: `{1001}`"},
      {"a{2,1}", "invalid repeat count: `{2,1}`"},
      {"a{1,1001}b", "invalid repeat count: `{1,1001}`"},
      {"a{99999999999}", "invalid repeat count: `{99999999999}`"},
      {"(a{100}){11}", "invalid repeat count: `{11}`"},
      {"((a{10}){10}){11}", "invalid repeat count: `{11}`"},
      {"\\x", "invalid escape sequence: `\\x`"},
      {"\\x{110000}", "invalid escape sequence: `\\x{110000`"},
      {"\\x{}", "invalid escape sequence: `\\x{}`"},
      {"\\8", "invalid escape sequence: `\\8`"},
      {"(a)\\1", "invalid escape sequence: `\\1`"},
      {"\\C", "invalid escape sequence: `\\C`"},
      {"\\y", "invalid escape sequence: `\\y`"},
      {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
      {"(?<!a)", "invalid named capture: `(?<!a)`"},
      {"(?x)a", "invalid or unsupported Perl syntax: `(?x`"},
      {"(?i-)a", "invalid or unsupported Perl syntax: `(?i-)`"},
      {"(?P<n", "invalid named capture: `(?P<n`"},
      {"(?P<a b>c)", "invalid named capture: `(?P<a b>`"},
      {"(?P<>c)", "invalid named capture: `(?P<>`"},
      {"a\xFF", "invalid UTF-8: `\xFF`"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ErrorOf(c.pattern), "error parsing regexp: " + std::string(c.message)) << c.pattern;
  }
}

TEST(Regex, BoundsTheProgram) {
  std::string deep(1001, '(');
  EXPECT_EQ(ErrorOf(deep), "error parsing regexp: expression nests too deeply: `" + deep + "`");
  std::string large;
  for (int count = 0; count < 300; ++count) large += "a{1000}";
  EXPECT_EQ(ErrorOf(large), "error parsing regexp: expression too large: `" + large + "`");
  std::string classes;
  for (int count = 0; count < 1000; ++count) classes += "\\pL";
  EXPECT_EQ(ErrorOf(classes), "error parsing regexp: expression too large: `" + classes + "`");
  EXPECT_EQ(ErrorOf("(a{100}){10}"), "compiles");
}

// Goal: no pattern costs more than its size times the length of the text. Method: patterns that
// take a backtracking engine exponential time.
TEST(Regex, TakesLinearTime) {
  const std::string text(10'000, 'a');
  for (std::string_view pattern : {"(a*)*b", "(a+)+$b", "(a|aa)+b", "(a?){50}b", "(.*)*(.*)*b"}) {
    Regex regex = Compiled(pattern);
    RegexMatcher matcher(regex, text);
    EXPECT_FALSE(matcher.Matches()) << pattern;
    EXPECT_FALSE(matcher.is_exhausted()) << pattern;
    EXPECT_LE(matcher.steps(), regex.program().size() * (text.size() + 1)) << pattern;
  }
}

// Goal: any pattern compiles or has an error, and is matched within its bound. Method: 20,000
// seeded patterns of the characters that the syntax knows.
TEST(Regex, TakesAnyPattern) {
  constexpr std::string_view kPieces[] = {
      "a",   "b",       ".",           "*",      "+",    "?",      "|",     "(",   ")",
      "(?:", "[",       "]",           "^",      "$",    "-",      "\\",    "\\b", "\\pL",
      "\\d", "{2}",     "{1,3}",       "{",      "}",    "(?i)",   "[a-b]", "\\Q", "\\E",
      "é",   "\\x{E9}", "[[:alpha:]]", "(?P<n>", "\xFF", "\\p{Lu}"};
  const std::string text = "abéAB ab\nba";
  Rng rng(11);
  int num_compiled = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string pattern;
    for (uint64_t left = 1 + rng.Below(12); left > 0; --left) {
      pattern += kPieces[rng.Below(std::size(kPieces))];
    }
    Result<Regex, RegexError> regex = Regex::Compile(pattern);
    if (!regex.ok()) {
      EXPECT_TRUE(regex.fault().message.starts_with("error parsing regexp: ")) << pattern;
      continue;
    }
    ++num_compiled;
    RegexMatcher any(*regex, text);
    RegexMatcher first(*regex, text);
    EXPECT_EQ(any.Matches(), first.Find(0)) << pattern;
    EXPECT_LE(first.steps(), regex->program().size() * (text.size() + 1)) << pattern;
    RegexMatcher all(*regex, text);
    size_t end = 0;
    for (; all.FindNext(); end = all.end()) EXPECT_GE(all.begin(), end) << pattern;
  }
  EXPECT_GT(num_compiled, 5'000);
}

TEST(Regex, StopsWhenItsStepsAreUsedUp) {
  const std::string text(10'000, 'a');
  Regex regex = Compiled("(a*)*b");
  RegexMatcher matcher(regex, text, 5'000);
  EXPECT_FALSE(matcher.Matches());
  EXPECT_TRUE(matcher.is_exhausted());
  EXPECT_EQ(matcher.steps(), 5'000u);
  EXPECT_FALSE(matcher.FindNext());
}

// Goal: whether there is a match needs no more of the text than the match. Method: count the steps.
TEST(Regex, MatchesStopsAtTheFirstMatch) {
  const std::string text(10'000, 'a');
  Regex regex = Compiled("a+");
  RegexMatcher any(regex, text);
  EXPECT_TRUE(any.Matches());
  EXPECT_LT(any.steps(), 20u);
  RegexMatcher longest(regex, text);
  EXPECT_TRUE(longest.Find(0));
  EXPECT_EQ(longest.end(), text.size());
}

TEST(Regex, TakesInvalidBytesForOneCodePoint) {
  EXPECT_EQ(AllMatches(".", "\xFF\xC3"), "0:\xFF 1:\xC3");
  EXPECT_EQ(AllMatches("\\x{FFFD}", "a\xFF"), "1:\xFF");
}

}  // namespace
}  // namespace stowage::cel
