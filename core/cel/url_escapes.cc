#include "core/cel/url_escapes.h"

#include <algorithm>

#include "core/cel/libraries.h"

namespace stowage::cel {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

bool IsOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

bool IsAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// 16 for a character that is no hexadecimal digit.
uint32_t HexValue(char c) {
  if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
  return static_cast<uint32_t>(std::min<size_t>(kHexDigits.find(c), 16));
}

bool IsUnreserved(char c) { return IsAlphanumeric(c) || IsOneOf(c, "-_.~"); }
bool IsHostCharacter(char c) { return IsUnreserved(c) || IsOneOf(c, "!$&'()*+,;=:[]<>\""); }
bool IsPathCharacter(char c) { return IsUnreserved(c) || IsOneOf(c, "$&+,/:;=@"); }

// Whether "%XY" may stand for the byte there.
bool IsAllowed(uint32_t byte, UrlPart part) {
  if (byte == '%') return true;
  // A host's escapes are for characters that are not ASCII.
  if (part == UrlPart::kHost) return byte >= 0x80;
  if (part != UrlPart::kZone) return true;
  return byte == ' ' || IsHostCharacter(static_cast<char>(byte));
}

}  // namespace

bool UnescapeUrl(std::string_view text, UrlPart part, std::string* out) {
  out->clear();
  bool is_host = part == UrlPart::kHost || part == UrlPart::kZone;
  while (!text.empty()) {
    char c = text[0];
    if (c != '%') {
      if (is_host && static_cast<uint8_t>(c) < 0x80 && !IsHostCharacter(c)) {
        *out = "invalid character " + Quoted(text.substr(0, 1)) + " in host name";
        return false;
      }
      *out += c == '+' && part == UrlPart::kQuery ? ' ' : c;
      text.remove_prefix(1);
      continue;
    }
    bool is_escape = text.size() > 2 && HexValue(text[1]) < 16 && HexValue(text[2]) < 16;
    uint32_t byte = is_escape ? HexValue(text[1]) * 16 + HexValue(text[2]) : 0;
    if (!is_escape || !IsAllowed(byte, part)) {
      *out = "invalid URL escape " + Quoted(text.substr(0, 3));
      return false;
    }
    *out += static_cast<char>(byte);
    text.remove_prefix(3);
  }
  return true;
}

std::string EscapeUrlPath(std::string_view path) {
  std::string escaped;
  for (char c : path) {
    if (IsPathCharacter(c)) {
      escaped += c;
    } else {
      auto byte = static_cast<uint8_t>(c);
      escaped += {'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
    }
  }
  return escaped;
}

bool IsEscapedUrlPath(std::string_view path) {
  return std::all_of(path.begin(), path.end(),
                     [](char c) { return IsPathCharacter(c) || IsOneOf(c, "!'()*[]%"); });
}

}  // namespace stowage::cel
