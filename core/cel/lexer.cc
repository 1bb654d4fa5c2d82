#include "core/cel/lexer.h"

#include <algorithm>

#include "core/cel/utf8.h"

namespace stowage::cel {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Longer ones first.
constexpr std::string_view kSymbols[] = {"==", "!=", "<=", ">=", "&&", "||", "[", "]",
                                         "{",  "}",  "(",  ")",  ".",  ",",  "-", "!",
                                         "?",  ":",  "+",  "*",  "/",  "%",  "<", ">"};
constexpr std::string_view kWords[] = {"in", "true", "false", "null"};

class Lexer {
 public:
  explicit Lexer(Issues* issues) : issues_(*issues), text_(issues->source()) {}

  std::vector<Token> Run() {
    std::vector<Token> tokens;
    for (SkipSpace(); at_ < text_.size(); SkipSpace()) {
      start_ = at_;
      failed_at_ = start_;
      TokenKind kind = Next();
      if (kind == TokenKind::kEnd) {
        ReportUnknown();
        continue;
      }
      tokens.push_back({kind, static_cast<uint32_t>(start_), text_.substr(start_, at_ - start_)});
    }
    tokens.push_back({TokenKind::kEnd, static_cast<uint32_t>(text_.size()), "<EOF>"});
    return tokens;
  }

 private:
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  template <typename Predicate>
  size_t Skip(Predicate predicate) {
    size_t from = at_;
    while (at_ < text_.size() && predicate(text_[at_])) ++at_;
    return at_ - from;
  }

  void SkipSpace() {
    while (at_ < text_.size()) {
      if (Skip([](char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }) > 0) {
        continue;
      }
      if (Peek() != '/' || Peek(1) != '/') return;
      Skip([](char c) { return c != '\n'; });
    }
  }

  // Everything up to the character that no token continues with.
  void ReportUnknown() {
    at_ = std::max(failed_at_, start_);
    if (at_ < text_.size()) {
      std::string_view rest = text_.substr(at_);
      TakeCodePoint(&rest);
      at_ = text_.size() - rest.size();
    }
    issues_.Report(static_cast<uint32_t>(start_), {"Syntax error: token recognition error at: '",
                                                   text_.substr(start_, at_ - start_), "'"});
  }

  // The longest token at `at_`, which is moved behind it; kEnd if there is none.
  TokenKind Next() {
    if (TakeString(0)) return TokenKind::kString;
    if ((Peek() == 'b' || Peek() == 'B') && TakeString(1)) return TokenKind::kBytes;
    if (IsLetter(Peek())) {
      Skip([](char c) { return IsLetter(c) || IsDigit(c); });
      std::string_view word = text_.substr(start_, at_ - start_);
      bool is_symbol = std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
      return is_symbol ? TokenKind::kSymbol : TokenKind::kIdent;
    }
    if (IsDigit(Peek()) || (Peek() == '.' && IsDigit(Peek(1)))) return TakeNumber();
    if (Peek() == '`') return TakeEscapedIdent();
    for (std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      at_ += symbol.size();
      return TokenKind::kSymbol;
    }
    if (Peek() == '&' || Peek() == '|' || Peek() == '=') failed_at_ = at_ + 1;
    return TokenKind::kEnd;
  }

  TokenKind TakeEscapedIdent() {
    ++at_;
    size_t size = Skip([](char c) {
      return IsLetter(c) || IsDigit(c) || c == '.' || c == '-' || c == '/' || c == ' ';
    });
    if (size == 0 || Peek() != '`') {
      failed_at_ = at_;
      return TokenKind::kEnd;
    }
    ++at_;
    return TokenKind::kEscapedIdent;
  }

  TokenKind TakeNumber() {
    bool is_double = false;
    if (Peek() == '0' && Peek(1) == 'x' && IsHex(Peek(2))) {
      at_ += 2;
      Skip(IsHex);
    } else {
      Skip(IsDigit);
      if (Peek() == '.' && IsDigit(Peek(1))) {
        is_double = true;
        ++at_;
        Skip(IsDigit);
      }
      size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 2 : 1;
      if ((Peek() == 'e' || Peek() == 'E') && IsDigit(Peek(sign))) {
        is_double = true;
        at_ += sign;
        Skip(IsDigit);
      }
    }
    if (is_double) return TokenKind::kDouble;
    if (Peek() != 'u' && Peek() != 'U') return TokenKind::kInt;
    ++at_;
    return TokenKind::kUint;
  }

  // A string literal `ahead` of `at_`, which is moved behind it.
  bool TakeString(size_t ahead) {
    bool is_raw = Peek(ahead) == 'r' || Peek(ahead) == 'R';
    size_t quote_at = at_ + ahead + (is_raw ? 1 : 0);
    if (quote_at >= text_.size()) return false;
    char quote = text_[quote_at];
    if (quote != '"' && quote != '\'') return false;
    std::string_view rest = text_.substr(quote_at);
    bool is_long = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
    if (is_long && TakeQuoted(quote_at + 3, rest.substr(0, 3), is_raw)) return true;
    return TakeQuoted(quote_at + 1, rest.substr(0, 1), is_raw);
  }

  bool TakeQuoted(size_t from, std::string_view quotes, bool is_raw) {
    for (size_t place = from; place < text_.size();) {
      if (text_.substr(place, quotes.size()) == quotes) {
        at_ = place + quotes.size();
        return true;
      }
      bool ends_line = text_[place] == '\n' || text_[place] == '\r';
      size_t length = 1;
      if (text_[place] == '\\' && !is_raw) length = EscapeLength(&place);
      if (length == 0 || (ends_line && quotes.size() == 1)) {
        failed_at_ = std::max(failed_at_, place);
        return false;
      }
      place += length;
    }
    failed_at_ = std::max(failed_at_, text_.size());
    return false;
  }

  // The length of an escape sequence; 0 if it is none, and `place` is where it fails.
  size_t EscapeLength(size_t* place) const {
    constexpr std::string_view kSingle = "abfnrtv\"'\\?`";
    auto char_at = [this](size_t where) { return where < text_.size() ? text_[where] : '\0'; };
    char kind = char_at(*place + 1);
    if (kind != '\0' && kSingle.find(kind) != std::string_view::npos) return 2;
    size_t digits = kind == 'x' || kind == 'X' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    bool is_octal = kind >= '0' && kind <= '3';
    if (digits == 0 && !is_octal) {
      ++*place;
      return 0;
    }
    size_t length = is_octal ? 4 : 2 + digits;
    for (size_t digit = 2; digit < length; ++digit) {
      char c = char_at(*place + digit);
      if (is_octal ? c >= '0' && c <= '7' : IsHex(c)) continue;
      *place += digit;
      return 0;
    }
    return length;
  }

  Issues& issues_;
  std::string_view text_;
  size_t at_ = 0;
  size_t start_ = 0;
  size_t failed_at_ = 0;
};

}  // namespace

std::vector<Token> Tokenize(Issues* issues) { return Lexer(issues).Run(); }

}  // namespace stowage::cel
