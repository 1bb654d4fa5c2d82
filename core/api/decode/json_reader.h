// JsonReader walks one JSON text (RFC 8259, UTF-8) value by value and returns views into it.
//
// It is our own because decoding limits how many pods per second the engine can take: a general
// lexer copies every string and reports every token, although most of an object is skipped. It only
// detects whether a text is JSON; core/api/decode/json_fault.h describes the errors.
//
// An error is final: every method then returns false, and has_failed() distinguishes it from an
// end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/byte_match.h"

namespace stowage {

class JsonReader {
 public:
  struct Options {
    size_t depth_max = SIZE_MAX;  // of open objects and arrays
    bool is_line = false;  // the text is one of several JSON lines: no value contains a line feed

    friend bool operator==(const Options&, const Options&) = default;
  };

  // Starts at `offset` of `text`.
  JsonReader(std::string_view text, const Options& options, size_t offset = 0)
      : begin_(text.data()),
        at_(text.data() + offset),
        end_(text.data() + text.size()),
        options_(options) {}

  bool has_failed() const { return has_failed_; }
  // Whether the error is an object or array beyond depth_max.
  bool is_too_deep() const { return is_too_deep_; }
  size_t offset() const { return static_cast<size_t>(at_ - begin_); }
  const Options& options() const { return options_; }
  // The number of open objects and arrays.
  size_t depth() const { return depth_; }
  void set_depth_max(size_t depth_max) { options_.depth_max = depth_max; }

  // The first byte of the next value; '\0' if there is none.
  char Peek() {
    SkipSpace();
    return at_ < end_ ? *at_ : '\0';
  }
  // Whether only space is left in the text, or in the line if is_line.
  bool IsAtEnd() {
    SkipSpace();
    return !has_failed_ && (at_ == end_ || (options_.is_line && *at_ == '\n'));
  }
  // Whether `text`, a string or key that was read, has no escapes.
  bool HasNoEscapes(std::string_view text) const {
    return text.data() >= begin_ && text.data() < end_;
  }

  // Iterates the members of an object:
  //   for (bool has = reader.EnterObject(&key); has; has = reader.NextMember(&key)) …
  // Before EnterObject the cursor must be at the opening bracket, and before NextMember behind a
  // value. After each call it is behind the key's colon. The view is valid until the next read.
  bool EnterObject(std::string_view* key) {
    if (!Deepen()) return false;
    SkipSpace();
    return Has('}') ? CloseOne() : ReadKey(key);
  }
  bool NextMember(std::string_view* key) {
    SkipSpace();
    if (Has('}')) return CloseOne();
    if (!Has(',')) return Fail();
    ++at_;
    SkipSpace();
    return ReadKey(key);
  }
  // Iterates the items of an array in the same way.
  bool EnterArray() {
    if (!Deepen()) return false;
    SkipSpace();
    return Has(']') ? CloseOne() : true;
  }
  bool NextItem() {
    SkipSpace();
    if (Has(']')) return CloseOne();
    if (!Has(',')) return Fail();
    ++at_;
    return true;
  }

  // The value at the cursor, which Peek found to be a string. Returns its content with escapes
  // resolved; surrogate escapes must come in pairs. The view is valid until the next string is
  // read.
  [[gnu::always_inline]] bool ReadString(std::string_view* text) {
    const char* begin = at_ + 1;
    const char* at = FindSpecial(begin, end_);
    if (at == end_ || *at != '"') return ReadSpecialString(begin, at, text);
    at_ = at + 1;
    *text = {begin, static_cast<size_t>(at - begin)};
    return true;
  }
  // The number's own text, but "0" for "-0"; the number must fit into a double.
  bool ReadNumber(std::string_view* text);
  // "true", "false" or "null".
  bool ReadLiteral(std::string_view literal) { return Take(literal) ? true : Fail(); }

  // Passes a value's tokens to `sink`, which has the methods of a TokenSink (token_sink.h). Also
  // returns false if the sink stopped the reading.
  template <typename Sink>
  bool WalkValue(Sink& sink);
  // Skips a value of any kind.
  bool SkipValue();

  // The unread text, and the text read since an offset.
  std::string_view Ahead() const { return Rest(); }
  std::string_view TextSince(size_t offset) const {
    return {begin_ + offset, this->offset() - offset};
  }
  // Skips a value of that size that the caller knows already.
  void Skip(size_t size) { at_ += size; }
  // Skips a text that the caller knows already, in which brackets open or close.
  void Skip(size_t size, size_t depth_behind) {
    at_ += size;
    depth_ = depth_behind;
  }

  // Skips a byte order mark.
  void SkipByteOrderMark() { Take("\xef\xbb\xbf"); }

 private:
  // The open containers, innermost last.
  class Brackets {
   public:
    void Push(bool is_object) {
      if ((bits_ & kFull) != 0) {
        outer_.push_back(bits_);
        bits_ = 1;
      }
      bits_ = bits_ << 1 | (is_object ? 1 : 0);
    }
    void Pop() {
      bits_ >>= 1;
      if (bits_ == 1 && !outer_.empty()) {
        bits_ = outer_.back();
        outer_.pop_back();
      }
    }
    bool empty() const { return bits_ == 1; }
    bool IsObject() const { return (bits_ & 1) != 0; }

   private:
    static constexpr uint64_t kFull = uint64_t{1} << 63;

    uint64_t bits_ = 1;  // the highest set bit marks the end
    std::vector<uint64_t> outer_;
  };

  // The first byte from `at` on that a string cannot contain unescaped, or that needs a check.
  [[gnu::always_inline]] static const char* FindSpecial(const char* at, const char* end) {
    for (; end - at >= static_cast<ptrdiff_t>(kWordSize); at += kWordSize) {
      uint64_t match = MatchSpecialInString(LoadWord(at));
      if (match != 0) return at + FirstMatch(match);
    }
    return FindSpecialAtEnd(at, end);
  }
  static const char* FindSpecialAtEnd(const char* at, const char* end);

  bool Has(char c) const { return at_ < end_ && *at_ == c; }
  bool Take(std::string_view text) {
    if (Rest().substr(0, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }
  bool Fail() {
    has_failed_ = true;
    at_ = end_;
    return false;
  }
  void SkipSpace() {
    if (at_ < end_ && static_cast<unsigned char>(*at_) <= ' ') SkipSpaces();
  }
  void SkipSpaces();
  bool Deepen() {
    if (++depth_ > options_.depth_max) {
      is_too_deep_ = true;
      return Fail();
    }
    ++at_;
    return true;
  }
  // Skips a closing bracket; false: no container is open any more.
  bool CloseOne() {
    --depth_;
    ++at_;
    return false;
  }
  bool ReadKey(std::string_view* key) {
    if (!Has('"') || !ReadString(key)) return Fail();
    SkipSpace();
    if (!Has(':')) return Fail();
    ++at_;
    return true;
  }
  // Reads a string whose content is plain from `begin` to `at`.
  bool ReadSpecialString(const char* begin, const char* at, std::string_view* text);
  bool ReadEscape();
  bool ReadSurrogatePair(uint32_t high);
  std::string_view Rest() const { return {at_, static_cast<size_t>(end_ - at_)}; }

  // Reads one value without its parts.
  template <typename Sink>
  bool WalkScalar(char first, Sink& sink);
  // Reads the start of a container up to its first value; `is_open`: there is one.
  template <typename Sink>
  bool WalkIntoContainer(bool is_object, Sink& sink, bool* is_open);
  // Reads what follows a value in the innermost container, up to the next value or the container's
  // end.
  template <typename Sink>
  bool WalkOn(bool is_object, Sink& sink, bool* has_next);

  const char* begin_;
  const char* at_;
  const char* end_;
  Options options_;
  size_t depth_ = 0;
  bool has_failed_ = false;
  bool is_too_deep_ = false;
  std::string unescaped_;  // the last string that has escapes
};

template <typename Sink>
bool JsonReader::WalkValue(Sink& sink) {
  Brackets open;
  for (;;) {
    char first = Peek();
    bool is_object = first == '{';
    if (is_object || first == '[') {
      bool is_open;
      if (!WalkIntoContainer(is_object, sink, &is_open)) return false;
      if (is_open) {
        open.Push(is_object);
        continue;
      }
    } else if (!WalkScalar(first, sink)) {
      return false;
    }
    for (bool has_next = false; !has_next;) {
      if (open.empty()) return true;
      if (!WalkOn(open.IsObject(), sink, &has_next)) return false;
      if (!has_next) open.Pop();
    }
  }
}

template <typename Sink>
bool JsonReader::WalkIntoContainer(bool is_object, Sink& sink, bool* is_open) {
  if (!(is_object ? sink.OpenObject() : sink.OpenArray())) return false;
  std::string_view key;
  *is_open = is_object ? EnterObject(&key) : EnterArray();
  if (has_failed_) return false;
  if (*is_open) return is_object ? sink.Key(key) : true;
  return is_object ? sink.CloseObject() : sink.CloseArray();
}

template <typename Sink>
bool JsonReader::WalkOn(bool is_object, Sink& sink, bool* has_next) {
  std::string_view key;
  *has_next = is_object ? NextMember(&key) : NextItem();
  if (has_failed_) return false;
  if (*has_next) return is_object ? sink.Key(key) : true;
  return is_object ? sink.CloseObject() : sink.CloseArray();
}

template <typename Sink>
bool JsonReader::WalkScalar(char first, Sink& sink) {
  std::string_view text;
  switch (first) {
    case '"':
      return ReadString(&text) && sink.String(text);
    case 't':
      return ReadLiteral("true") && sink.Bool(true);
    case 'f':
      return ReadLiteral("false") && sink.Bool(false);
    case 'n':
      return ReadLiteral("null") && sink.Null();
    default:
      return ReadNumber(&text) && sink.Number(text);
  }
}

}  // namespace stowage
