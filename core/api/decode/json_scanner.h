// JsonScanner finds where the members of an object and the items of an array start and end, without
// building anything. It is needed because `kind` may come after `spec`: the shape of an object is
// found first, and its content is decoded once, afterwards.
//
// It checks the grammar of the level that it walks (names, colons, commas, brackets). In skipped
// values it only recognizes strings and balances brackets; the decoder of a value checks the rest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stowage {

// The extent of one value.
struct JsonValue {
  size_t begin = 0;
  size_t end = 0;     // one past the last byte; the text's end if the value is truncated
  char first = '\0';  // its first byte; '\0': there is no value

  bool exists() const { return first != '\0'; }
  bool is_object() const { return first == '{'; }
  bool is_array() const { return first == '['; }
  bool is_string() const { return first == '"'; }
  bool is_null() const { return first == 'n'; }
  // "an object", "a list", "a string", "a number", "a boolean" or "null", for messages.
  std::string_view type_name() const;
  size_t size() const { return end - begin; }
  std::string_view In(std::string_view text) const { return text.substr(begin, end - begin); }
};

class JsonScanner {
 public:
  // Walks `text` from `offset` on. All offsets count from the start of `text`.
  explicit JsonScanner(std::string_view text, size_t offset = 0) : text_(text), offset_(offset) {}

  // Whether the next value, after space, is an object.
  bool AtObject() {
    SkipSpace();
    return AtChar('{');
  }
  bool AtArray() {
    SkipSpace();
    return AtChar('[');
  }
  // Enters the object or array at the cursor, after space.
  bool OpenObject() { return Open('{'); }
  bool OpenArray() { return Open('['); }
  // Moves to the next member's value. Returns false after the last one (the closing bracket is
  // consumed) and on an error. `key` is the name's text between its quotes, escapes unresolved.
  bool NextMember(std::string_view* key);
  // Moves to the next item of an array, likewise.
  bool NextItem();
  // Skips the value at the cursor. Returns false on an error; `value` then spans what there is.
  bool SkipValue(JsonValue* value);
  // Moves to `offset`, the end of the value at the cursor, which another reader has read.
  void MoveTo(size_t offset) { offset_ = offset; }
  // Skips space; returns true if nothing else is left. Anything left is an error.
  bool ExpectEnd();

  // An error is final: the text is not JSON at offset().
  bool has_failed() const { return has_failed_; }
  size_t offset() const { return offset_; }
  std::string_view text() const { return text_; }
  // "unexpected end of input", "unexpected '}'", …; valid if has_failed().
  std::string FaultMessage() const;

 private:
  bool Open(char bracket);
  // Moves before the next part of the level that `bracket` closes; returns false at its end.
  bool NextPart(char bracket);
  void SkipSpace() {
    if (offset_ < text_.size() && static_cast<unsigned char>(text_[offset_]) <= ' ') SkipSpaces();
  }
  [[gnu::noinline]] void SkipSpaces();
  bool SkipString();
  bool SkipScalar();
  bool SkipContainer();
  bool Fail() {
    has_failed_ = true;
    return false;
  }
  bool AtChar(char c) const { return offset_ < text_.size() && text_[offset_] == c; }

  std::string_view text_;
  size_t offset_;
  bool is_first_ = false;  // directly after an opening bracket
  bool has_failed_ = false;
};

}  // namespace stowage
