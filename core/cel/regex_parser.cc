#include <algorithm>

#include "core/cel/regex_classes.h"
#include "core/cel/regex_compiler.h"
#include "core/cel/utf8.h"

namespace stowage::cel {
namespace {

constexpr int64_t kCountMax = 1000;
constexpr size_t kDepthMax = 1000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsAlphanumeric(uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// The value of a hexadecimal digit; 16 for any other character.
uint32_t HexValue(uint32_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

}  // namespace

bool RegexCompiler::ParseRune(uint32_t* rune) {
  Rune next = DecodeRune(rest_);
  if (next.is_invalid()) return Fail("invalid UTF-8", rest_);
  *rune = next.value;
  rest_.remove_prefix(next.width);
  return true;
}

bool RegexCompiler::ParseNext() {
  char c = rest_[0];
  if (c == '*' || c == '+' || c == '?' || c == '{') return ParseRepeatOperator();
  last_repeat_ = {};
  if (c == '[') return ParseClass();
  if (c == '\\') return ParseBackslash();
  if (c == '(' && rest_.size() >= 2 && rest_[1] == '?') return ParseGroupFlags();
  uint32_t rune = 0;
  if (!ParseRune(&rune)) return false;
  switch (rune) {
    case '(':
      OpenGroup();
      if (groups_.size() > kDepthMax) return Fail("expression nests too deeply", pattern_);
      return true;
    case ')':
      return CloseGroup();
    case '|':
      EndAlternative();
      return true;
    case '^':
      AddAssertion(flags_.multi_line ? Op::kBeginLine : Op::kBeginText);
      return true;
    case '$':
      AddAssertion(flags_.multi_line ? Op::kEndLine : Op::kEndText);
      return true;
    case '.':
      BeginAtom(false);
      Emit(flags_.dot_newline ? Op::kAny : Op::kAnyNotNewline);
      return true;
    default:
      AddLiteral(rune);
      return true;
  }
}

bool RegexCompiler::ParseGroupFlags() {
  std::string_view whole = rest_;
  bool has_p = rest_.size() > 4 && rest_.substr(2, 2) == "P<";
  if (has_p || (rest_.size() > 3 && rest_[2] == '<')) return ParseGroupName(has_p ? 4 : 3);
  rest_.remove_prefix(2);
  Flags flags = flags_;
  bool is_set = true;
  bool has_flag = false;
  while (!rest_.empty()) {
    uint32_t c = 0;
    if (!ParseRune(&c)) return false;
    bool* flag = c == 'i'   ? &flags.fold_case
                 : c == 'm' ? &flags.multi_line
                 : c == 's' ? &flags.dot_newline
                 : c == 'U' ? &flags.non_greedy
                            : nullptr;
    if (flag != nullptr) {
      *flag = is_set;
      has_flag = true;
    } else if (c == '-' && is_set) {
      is_set = false;
      has_flag = false;
    } else if ((c == ':' || c == ')') && (is_set || has_flag)) {
      if (c == ':') OpenGroup();
      flags_ = flags;
      if (groups_.size() > kDepthMax) return Fail("expression nests too deeply", pattern_);
      return true;
    } else {
      return Fail("invalid or unsupported Perl syntax", Since(whole));
    }
  }
  return Fail("missing closing )", pattern_);
}

bool RegexCompiler::ParseGroupName(size_t name_begin) {
  size_t end = rest_.find('>');
  if (end == std::string_view::npos) {
    return IsUtf8(rest_) ? Fail("invalid named capture", rest_) : Fail("invalid UTF-8", rest_);
  }
  std::string_view name = rest_.substr(name_begin, end - name_begin);
  if (!IsUtf8(name)) return Fail("invalid UTF-8", name);
  bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || IsAlphanumeric(static_cast<uint8_t>(c));
  });
  std::string_view capture = rest_.substr(0, end + 1);
  if (!is_name) return Fail("invalid named capture", capture);
  rest_.remove_prefix(end + 1);
  OpenGroup();
  return groups_.size() <= kDepthMax || Fail("expression nests too deeply", pattern_);
}

bool RegexCompiler::ParseBackslash() {
  if (rest_.size() >= 2) {
    Op op = Op::kMatch;
    switch (rest_[1]) {
      case 'A':
        op = Op::kBeginText;
        break;
      case 'z':
        op = Op::kEndText;
        break;
      case 'b':
        op = Op::kWordBoundary;
        break;
      case 'B':
        op = Op::kNoWordBoundary;
        break;
      case 'C':
        return Fail("invalid escape sequence", rest_.substr(0, 2));
      case 'Q':
        return ParseQuoted();
      default:
        break;
    }
    if (op != Op::kMatch) {
      AddAssertion(op);
      rest_.remove_prefix(2);
      return true;
    }
  }
  RuneRanges ranges;
  bool is_class = false;
  if (!ParseNamedClass(false, &ranges, &is_class)) return false;
  if (is_class) {
    AddClass(std::move(ranges));
    return true;
  }
  uint32_t rune = 0;
  if (!ParseEscape(&rune)) return false;
  AddLiteral(rune);
  return true;
}

bool RegexCompiler::ParseQuoted() {
  rest_.remove_prefix(2);
  while (!rest_.empty()) {
    if (rest_.substr(0, 2) == "\\E") {
      rest_.remove_prefix(2);
      return true;
    }
    uint32_t rune = 0;
    if (!ParseRune(&rune)) return false;
    AddLiteral(rune);
  }
  return true;
}

bool RegexCompiler::ParseEscape(uint32_t* rune) {
  std::string_view whole = rest_;
  rest_.remove_prefix(1);
  if (rest_.empty()) return Fail("trailing backslash at end of expression", "");
  uint32_t c = 0;
  if (!ParseRune(&c)) return false;
  auto is_octal = [&] { return !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '7'; };
  *rune = c;
  if (c < 0x80 && !IsAlphanumeric(c)) return true;
  if (c == '0' || (c >= '1' && c <= '7' && is_octal())) {
    *rune = c - '0';
    for (int place = 1; place < 3 && is_octal(); ++place) {
      *rune = *rune * 8 + static_cast<uint32_t>(rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return true;
  }
  constexpr std::string_view kLetters = "afnrtv";
  constexpr std::string_view kMeanings = "\a\f\n\r\t\v";
  size_t letter = c < 0x80 ? kLetters.find(static_cast<char>(c)) : std::string_view::npos;
  if (letter != std::string_view::npos) {
    *rune = static_cast<uint8_t>(kMeanings[letter]);
    return true;
  }
  bool is_utf8 = true;
  if (c == 'x' && ParseHexEscape(rune, &is_utf8)) return true;
  return is_utf8 && Fail("invalid escape sequence", Since(whole));
}

bool RegexCompiler::ParseHexEscape(uint32_t* rune, bool* is_utf8) {
  uint32_t digits[2] = {};
  bool is_braced = !rest_.empty() && rest_[0] == '{';
  if (is_braced) rest_.remove_prefix(1);
  *rune = 0;
  for (int count = 0; is_braced || count < 2; ++count) {
    if (rest_.empty()) return false;
    uint32_t c = 0;
    *is_utf8 = ParseRune(&c);
    if (!*is_utf8) return false;
    if (is_braced && c == '}') return count > 0;
    uint32_t digit = HexValue(c);
    if (is_braced && digit > 15) return false;
    if (!is_braced) digits[count] = digit;
    *rune = *rune * 16 + digit;
    if (*rune > kRuneMax) return false;
  }
  return digits[0] < 16 && digits[1] < 16;
}

bool RegexCompiler::ParseRepeatOperator() {
  std::string_view before = rest_;
  Repeat repeat{0, -1};
  bool is_counted = rest_[0] == '{';
  if (is_counted) {
    if (!ParseCounts(&repeat)) {
      last_repeat_ = {};
      rest_.remove_prefix(1);
      AddLiteral('{');
      return true;
    }
    if (repeat.min < 0 || repeat.min > kCountMax || repeat.max > kCountMax ||
        (repeat.max >= 0 && repeat.min > repeat.max)) {
      return Fail("invalid repeat count", Since(before));
    }
  } else {
    if (rest_[0] == '+') repeat.min = 1;
    if (rest_[0] == '?') repeat.max = 1;
    rest_.remove_prefix(1);
  }
  bool is_greedy = !flags_.non_greedy;
  if (!rest_.empty() && rest_[0] == '?') {
    rest_.remove_prefix(1);
    is_greedy = !is_greedy;
  }
  if (!last_repeat_.empty()) {
    return Fail("invalid nested repetition operator", Since(last_repeat_));
  }
  if (!groups_.back().atom.is_present) {
    return Fail("missing argument to repetition operator", Since(before));
  }
  if (!CountCopies(repeat, is_counted)) return Fail("invalid repeat count", Since(before));
  if (!ApplyRepeat(repeat, is_greedy)) return false;
  last_repeat_ = before;
  return true;
}

// Returns false if counts within counts repeat something too often.
bool RegexCompiler::CountCopies(Repeat repeat, bool is_counted) {
  if (!is_counted) return true;
  uint32_t& copies = groups_.back().atom.copies;
  auto factor = static_cast<uint32_t>(repeat.max < 0 ? repeat.min : repeat.max);
  copies = repeat.max == 0 ? 1 : copies * std::max<uint32_t>(factor, 1);
  return copies <= kCountMax || factor <= 1;
}

// Reads "{2}", "{2,}" or "{2,4}"; -1 stands for a minimum that is too large. Reads nothing and
// returns false if the text is no repeat.
bool RegexCompiler::ParseCounts(Repeat* repeat) {
  std::string_view text = rest_.substr(1);
  int64_t min = ParseCount(&text);
  if (min == -2) return false;
  int64_t max = min;
  if (!text.empty() && text[0] == ',') {
    text.remove_prefix(1);
    max = -1;
    if (text.empty()) return false;
    if (text[0] != '}') {
      max = ParseCount(&text);
      if (max == -2) return false;
      if (max < 0) min = -1;
    }
  }
  if (text.empty() || text[0] != '}') return false;
  rest_ = text.substr(1);
  *repeat = {min, max};
  return true;
}

// Digits without a leading zero; -1 if the number is too large, -2 if there is none.
int64_t RegexCompiler::ParseCount(std::string_view* text) {
  constexpr int64_t kLarge = 100'000'000;
  if (text->empty() || !IsDigit((*text)[0])) return -2;
  if (text->size() >= 2 && (*text)[0] == '0' && IsDigit((*text)[1])) return -2;
  int64_t value = 0;
  while (!text->empty() && IsDigit((*text)[0])) {
    if (value < kLarge) value = value * 10 + ((*text)[0] - '0');
    text->remove_prefix(1);
  }
  return value < kLarge ? value : -1;
}

bool RegexCompiler::ParseClass() {
  std::string_view whole = rest_;
  rest_.remove_prefix(1);
  bool is_negated = !rest_.empty() && rest_[0] == '^';
  if (is_negated) rest_.remove_prefix(1);
  RuneRanges ranges;
  for (bool is_first = true; is_first || rest_.empty() || rest_[0] != ']'; is_first = false) {
    if (!ParseClassItem(whole, &ranges)) return false;
  }
  rest_.remove_prefix(1);
  Normalize(&ranges);
  if (flags_.fold_case) AddCaseVariants(&ranges);
  if (is_negated) Negate(&ranges);
  AddClass(std::move(ranges));
  return true;
}

bool RegexCompiler::ParseClassItem(std::string_view whole, RuneRanges* ranges) {
  bool is_class = false;
  if (!ParseNamedClass(true, ranges, &is_class)) return false;
  if (is_class) return true;
  std::string_view before = rest_;
  RuneRange range{0, 0};
  if (!ParseClassRune(whole, &range.first)) return false;
  range.last = range.first;
  if (rest_.size() >= 2 && rest_[0] == '-' && rest_[1] != ']') {
    rest_.remove_prefix(1);
    if (!ParseClassRune(whole, &range.last)) return false;
    if (range.last < range.first) return Fail("invalid character class range", Since(before));
  }
  ranges->push_back(range);
  return true;
}

bool RegexCompiler::ParseClassRune(std::string_view whole, uint32_t* rune) {
  if (rest_.empty()) return Fail("missing closing ]", whole);
  return rest_[0] == '\\' ? ParseEscape(rune) : ParseRune(rune);
}

bool RegexCompiler::ParseNamedClass(bool is_in_brackets, RuneRanges* ranges, bool* is_class) {
  if (rest_.size() < 2) return true;
  if (is_in_brackets && rest_.size() > 2 && rest_.substr(0, 2) == "[:") {
    size_t end = rest_.find(":]", 2);
    if (end == std::string_view::npos) return true;
    std::string_view name = rest_.substr(2, end - 2);
    bool is_negated = !name.empty() && name[0] == '^';
    if (is_negated) name.remove_prefix(1);
    RuneRanges members;
    if (!AppendPosixClass(name, &members)) {
      return Fail("invalid character class range", rest_.substr(0, end + 2));
    }
    rest_.remove_prefix(end + 2);
    *is_class = true;
    AppendClass(std::move(members), is_negated, ranges);
    return true;
  }
  if (rest_[0] != '\\') return true;
  char letter = rest_[1];
  if (letter == 'p' || letter == 'P') {
    *is_class = true;
    return ParseUnicodeClass(ranges);
  }
  bool is_negated = letter >= 'A' && letter <= 'Z';
  RuneRanges members;
  char lower = is_negated ? static_cast<char>(letter - 'A' + 'a') : letter;
  if (!AppendPerlClass(lower, &members)) return true;
  rest_.remove_prefix(2);
  *is_class = true;
  AppendClass(std::move(members), is_negated, ranges);
  return true;
}

bool RegexCompiler::ParseUnicodeClass(RuneRanges* ranges) {
  std::string_view whole = rest_;
  bool is_negated = rest_[1] == 'P';
  rest_.remove_prefix(2);
  uint32_t c = 0;
  if (!ParseRune(&c)) return false;
  std::string_view name = Since(whole).substr(2);
  if (c == '{') {
    size_t end = rest_.find('}');
    if (end == std::string_view::npos) {
      return IsUtf8(whole) ? Fail("invalid character class range", whole)
                           : Fail("invalid UTF-8", whole);
    }
    name = rest_.substr(0, end);
    if (!IsUtf8(name)) return Fail("invalid UTF-8", name);
    rest_.remove_prefix(end + 1);
  }
  std::string_view plain = name;
  if (!plain.empty() && plain[0] == '^') {
    is_negated = !is_negated;
    plain.remove_prefix(1);
  }
  RuneRanges members;
  if (!AppendUnicodeClass(plain, &members)) {
    return Fail("invalid character class range", Since(whole));
  }
  AppendClass(std::move(members), is_negated, ranges);
  return true;
}

void RegexCompiler::AppendClass(RuneRanges members, bool is_negated, RuneRanges* ranges) const {
  Normalize(&members);
  if (flags_.fold_case) AddCaseVariants(&members);
  if (is_negated) Negate(&members);
  ranges->insert(ranges->end(), members.begin(), members.end());
}

}  // namespace stowage::cel
