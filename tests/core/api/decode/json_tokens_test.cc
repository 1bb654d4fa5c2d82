#include "core/api/decode/json_tokens.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/api/encode/utf8.h"
#include "core/base/rng.h"
#include "tests/core/api/decode/recorded_objects.h"

namespace stowage {
namespace {

// Collects tokens as one text.
class TokenTexts final : public TokenSink {
 public:
  bool Null() override { return Add("null"); }
  bool Bool(bool value) override { return Add(value ? "true" : "false"); }
  bool Number(std::string_view text) override { return Add("number " + std::string(text)); }
  bool String(std::string_view text) override { return Add("string " + std::string(text)); }
  bool Key(std::string_view text) override { return Add("key " + std::string(text)); }
  bool OpenObject() override { return Add("{"); }
  bool CloseObject() override { return Add("}"); }
  bool OpenArray() override { return Add("["); }
  bool CloseArray() override { return Add("]"); }

  std::string text;
  size_t count = 0;
  size_t count_max = SIZE_MAX;

 private:
  bool Add(std::string_view token) {
    text.append(token).append(1, '\n');
    return ++count < count_max;
  }
};

// Collects the tokens of nlohmann_json's lexer as one text.
class ReferenceTexts {
 public:
  using Json = nlohmann::json;

  bool null() { return sink.Null(); }
  bool boolean(bool value) { return sink.Bool(value); }
  bool number_integer(Json::number_integer_t value) { return sink.Number(std::to_string(value)); }
  bool number_unsigned(Json::number_unsigned_t value) { return sink.Number(std::to_string(value)); }
  bool number_float(Json::number_float_t, const std::string& text) { return sink.Number(text); }
  bool string(const std::string& text) { return sink.String(text); }
  bool binary(const Json::binary_t&) { return false; }
  bool start_object(size_t) { return sink.OpenObject(); }
  bool key(const std::string& text) { return sink.Key(text); }
  bool end_object() { return sink.CloseObject(); }
  bool start_array(size_t) { return sink.OpenArray(); }
  bool end_array() { return sink.CloseArray(); }
  bool parse_error(size_t, const std::string&, const Json::exception&) { return false; }

  TokenTexts sink;
};

// The library treats a NUL as the end of its input.
bool IsJsonByReference(std::string_view text, std::string* tokens) {
  ReferenceTexts reference;
  bool done = nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &reference);
  *tokens = reference.sink.text;
  return done && text.find('\0') == std::string_view::npos;
}

// Compares with the reference; returns whether the text is JSON.
bool ExpectLikeReference(std::string_view text) {
  std::string expected;
  bool is_json = IsJsonByReference(text, &expected);
  TokenTexts sink;
  std::optional<JsonFault> fault = ReadJsonTokens(text, sink);
  EXPECT_EQ(!fault.has_value(), is_json) << text;
  if (fault.has_value()) {
    EXPECT_FALSE(fault->message.empty()) << text;
    EXPECT_LE(fault->offset, text.size()) << text;
  } else {
    EXPECT_EQ(sink.text, expected) << text;
  }
  return is_json;
}

constexpr std::string_view kJson[] = {"{}",
                                      "[]",
                                      " [ ] ",
                                      "\t{\r\n}\n",
                                      "0",
                                      "-0",
                                      "-0.0",
                                      "-0e1",
                                      "10",
                                      "1.50",
                                      "1e3",
                                      "1E+3",
                                      "1e-3",
                                      "-7.25E-01",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "-9223372036854775809",
                                      "1e308",
                                      "1e-400",
                                      "true",
                                      "false",
                                      "null",
                                      R"("")",
                                      R"("a\"\\\/\b\f\n\r\tz")",
                                      R"("\u0041\u00e4\u20AC\ud83D\uDe00\u0000")",
                                      "\"\x7f\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"",
                                      R"({"a":{"b":[1,{"c":null}],"b":2},"":[[],{}]})",
                                      "[1 , 2\n,3]",
                                      "\xef\xbb\xbf{\"a\" : 1}"};

constexpr std::string_view kNoJson[] = {"",
                                        " ",
                                        "{",
                                        "[",
                                        "}",
                                        "]",
                                        "[}",
                                        "{]",
                                        "[1",
                                        "[1,",
                                        "[1,]",
                                        "[,1]",
                                        "[1 2]",
                                        "{,}",
                                        R"({"a"})",
                                        R"({"a":})",
                                        R"({"a":1,})",
                                        R"({"a" 1})",
                                        R"({a:1})",
                                        R"({1:1})",
                                        "1 2",
                                        "{}{}",
                                        "01",
                                        "-",
                                        "-a",
                                        "+1",
                                        ".5",
                                        "1.",
                                        "1.e3",
                                        "1e",
                                        "1e+",
                                        "0x1",
                                        "1e309",
                                        "-1e999",
                                        "NaN",
                                        "Infinity",
                                        "tru",
                                        "True",
                                        "nulll",
                                        "truefalse",
                                        "\"",
                                        "\"a",
                                        R"("\)",
                                        R"("\x")",
                                        R"("\u12")",
                                        R"("\u12g4")",
                                        R"("\ud800")",
                                        R"("\ud800\n")",
                                        R"("\ud800\u0041")",
                                        R"("\udc00")",
                                        R"("\ud800\ud800")",
                                        "\"\n\"",
                                        "\"\x1f\"",
                                        "\"\xff\"",
                                        "\"\xc3\"",
                                        "\"\xc0\x80\"",
                                        "\"\xed\xa0\x80\"",
                                        "\"\xf4\x90\x80\x80\"",
                                        "'a'",
                                        "[1]//",
                                        "\xef\xbb",
                                        "\xc2\xa0[]",
                                        std::string_view("[]\0", 3),
                                        std::string_view("\"\0\"", 3),
                                        std::string_view("\0", 1)};

// Goal: the grammar of RFC 8259. Method: valid and invalid texts for each rule.
TEST(JsonTokens, ReadsTheGrammar) {
  for (std::string_view text : kJson) EXPECT_TRUE(ExpectLikeReference(text)) << text;
  for (std::string_view text : kNoJson) EXPECT_FALSE(ExpectLikeReference(text)) << text;
}

// Goal: a number beyond a double is refused even without an exponent.
TEST(JsonTokens, RefusesEndlessNumbers) {
  EXPECT_TRUE(ExpectLikeReference(std::string(308, '9')));
  EXPECT_FALSE(ExpectLikeReference(std::string(400, '9')));
  EXPECT_TRUE(ExpectLikeReference("0." + std::string(400, '9')));
}

// Goal: the reader itself has no limit of depth.
TEST(JsonTokens, ReadsAnyDepth) {
  constexpr size_t kDepth = 100'000;
  EXPECT_TRUE(ExpectLikeReference(std::string(kDepth, '[') + std::string(kDepth, ']')));
  EXPECT_FALSE(ExpectLikeReference(std::string(kDepth, '[')));
}

// Goal: a sink that stops the reading receives nothing more, and that is not an error.
TEST(JsonTokens, StopsForTheSink) {
  constexpr std::string_view kText = R"({"a":[1,"b",true,null,{}]} and no JSON)";
  for (size_t count = 1; count <= 11; ++count) {
    TokenTexts sink;
    sink.count_max = count;
    EXPECT_FALSE(ReadJsonTokens(kText, sink).has_value()) << count;
    EXPECT_EQ(sink.count, count);
  }
  EXPECT_TRUE(FindJsonFault(kText).has_value());
}

// Pieces of the grammar, valid and invalid: escapes, single and paired surrogates, UTF-8 that is
// overlong, truncated or out of range, numbers, brackets, control characters.
constexpr std::string_view kPieces[] = {"\"",
                                        "\\",
                                        "/",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        " ",
                                        "\n",
                                        "\t",
                                        "\x01",
                                        "\x7f",
                                        "\\n",
                                        "\\/",
                                        "\\x",
                                        "\\u",
                                        "\\u00e4",
                                        "\\u0000",
                                        "\\ud83d\\ude00",
                                        "\\ud800",
                                        "\\udc00",
                                        "\\ud83d\\n",
                                        "\xc3",
                                        "\xa4",
                                        "\xff",
                                        "\xc3\xa4",
                                        "\xc0\x80",
                                        "\xe0\x80\x80",
                                        "\xe2\x82",
                                        "\xed\xa0\x80",
                                        "\xf0\x9f\x98\x80",
                                        "\xf0\x80\x80\x80",
                                        "\xf0\x9f\x98",
                                        "\xf4\x90\x80\x80",
                                        "\xef\xbb\xbf",
                                        "0",
                                        "-0",
                                        "01",
                                        "-",
                                        "1.5",
                                        "1.",
                                        ".5",
                                        "1e3",
                                        "1e",
                                        "1E+05",
                                        "1e309",
                                        "1e-999",
                                        "99999999999999999999",
                                        "true",
                                        "nul",
                                        "null",
                                        "[[[[{\"a\":[",
                                        "]]}",
                                        "{},",
                                        "\"\":"};

std::string Changed(std::string text, Rng& rng) {
  for (uint64_t change = rng.Below(4) + 1; change > 0; --change) {
    // Half of the changes are near the start, where tokens are dense; half of the pieces are
    // inserted at the start of a token.
    size_t bound = text.size() + 1;
    size_t offset = rng.Below(rng.Below(2) == 0 ? std::min<size_t>(80, bound) : bound);
    size_t token = text.find_first_of(",:{[\"", offset);
    if (rng.Below(2) == 0 && token != std::string::npos) offset = token + 1;
    switch (rng.Below(5)) {
      case 0:
        if (offset < text.size()) text[offset] = static_cast<char>(rng.Below(3) * rng.Below(128));
        break;
      case 1:
        text.erase(offset, rng.Below(4));
        break;
      case 2:
        text.resize(offset);
        break;
      default:
        text.insert(offset, kPieces[rng.Below(std::size(kPieces))]);
    }
  }
  return text;
}

// Goal: the reader agrees with nlohmann_json on which texts are JSON, and on their tokens. Method:
// seeded changes of recorded objects.
TEST(JsonTokens, AgreesWithTheReferenceOnChangedTexts) {
  const std::string originals[] = {
      R"({"é":"\u00e9\ud83d\ude00","n":[-0,1.5e-3,12345678901234567890],"o":)" +
          std::string(kRecordedPod.substr(0, kRecordedPod.find_last_of('}') + 1)) + "}",
      std::string(kRecordedNode)};
  Rng rng(20261122);
  size_t num_json = 0;
  constexpr size_t kRounds = 10'000;
  for (size_t round = 0; round < kRounds; ++round) {
    if (ExpectLikeReference(Changed(originals[round % 2], rng))) ++num_json;
  }
  EXPECT_GT(num_json, kRounds / 20) << "the dice are loaded";
  EXPECT_LT(num_json, kRounds - kRounds / 20) << "the dice are loaded";
}

}  // namespace
}  // namespace stowage
