#include "core/cel/ip_address.h"

#include <algorithm>

#include "core/base/format.h"
#include "core/cel/libraries.h"

namespace stowage::cel {
namespace {

constexpr size_t kNumBytes = 16;
constexpr size_t kV4Begin = 12;
constexpr size_t kGroupDigitsMax = 4;

// 16 for a character that is no hexadecimal digit.
uint32_t HexValue(char c) {
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint32_t>(c - 'a' + 10);
  return c >= 'A' && c <= 'F' ? static_cast<uint32_t>(c - 'A' + 10) : 16;
}

}  // namespace

// Parses one text; the first fault ends it.
class IpParser {
 public:
  explicit IpParser(std::string_view text) : text_(text) {}

  bool Parse(bool* has_zone);
  const IpAddress& address() const { return address_; }
  std::string error() const { return error_; }

 private:
  bool Fail(std::string_view reason, std::string_view place = {}) {
    error_ = "ParseAddr(" + Quoted(text_) + "): ";
    error_ += reason;
    if (!place.empty()) error_ += " (at " + Quoted(place) + ")";
    return false;
  }
  bool ParseV4(std::string_view text, size_t to);
  bool ParseV6(std::string_view text);
  bool ParseGroup(std::string_view* text, uint32_t* group);
  bool ParseSeparator(std::string_view* text);

  std::string_view text_;
  IpAddress address_;
  std::string error_;
  size_t at_ = 0;                    // the next byte of an IPv6 address
  size_t ellipsis_ = kNumBytes + 1;  // the byte at which "::" is
};

bool IpParser::Parse(bool* has_zone) {
  size_t mark = text_.find_first_of(".:%");
  if (mark == std::string_view::npos) return Fail("unable to parse IP");
  if (text_[mark] == '%') return Fail("missing IPv6 address");
  if (text_[mark] == '.') {
    address_.is_v4_ = true;
    return ParseV4(text_, kV4Begin);
  }
  size_t zone = text_.find('%');
  *has_zone = zone != std::string_view::npos;
  if (*has_zone && zone + 1 == text_.size()) return Fail("zone must be a non-empty string");
  return ParseV6(text_.substr(0, zone));
}

bool IpParser::ParseV4(std::string_view text, size_t to) {
  uint32_t value = 0;
  size_t digits = 0;
  size_t fields = 0;
  for (size_t place = 0; place < text.size(); ++place) {
    char c = text[place];
    if (c >= '0' && c <= '9') {
      if (digits == 1 && value == 0) return Fail("IPv4 field has octet with leading zero");
      value = value * 10 + static_cast<uint32_t>(c - '0');
      ++digits;
      if (value > 255) return Fail("IPv4 field has value >255");
    } else if (c == '.') {
      if (digits == 0 || place + 1 == text.size()) {
        return Fail("IPv4 field must have at least one digit", text.substr(place));
      }
      if (fields == 3) return Fail("IPv4 address too long");
      address_.bytes_[to + fields++] = static_cast<uint8_t>(value);
      value = 0;
      digits = 0;
    } else {
      return Fail("unexpected character", text.substr(place));
    }
  }
  if (fields < 3) return Fail("IPv4 address too short");
  address_.bytes_[to + fields] = static_cast<uint8_t>(value);
  return true;
}

// Up to four hexadecimal digits, which stay in the text if there is a fault or if '.' follows.
bool IpParser::ParseGroup(std::string_view* text, uint32_t* group) {
  size_t length = 0;
  *group = 0;
  while (length < text->size() && HexValue((*text)[length]) < 16) {
    if (length == kGroupDigitsMax) return Fail("each group must have 4 or less digits", *text);
    *group = *group * 16 + HexValue((*text)[length++]);
  }
  if (length == 0) return Fail("each colon-separated field must have at least one digit", *text);
  if (length < text->size() && (*text)[length] == '.') return true;
  text->remove_prefix(length);
  return true;
}

// ":" or "::" between two groups, or "::" at the end.
bool IpParser::ParseSeparator(std::string_view* text) {
  if (text->front() != ':') return Fail("unexpected character, want colon", *text);
  if (text->size() == 1) return Fail("colon must be followed by more characters", *text);
  text->remove_prefix(1);
  if (text->front() != ':') return true;
  if (ellipsis_ <= kNumBytes) return Fail("multiple :: in address", *text);
  ellipsis_ = at_;
  text->remove_prefix(1);
  return true;
}

bool IpParser::ParseV6(std::string_view text) {
  if (text.starts_with("::")) {
    ellipsis_ = 0;
    text.remove_prefix(2);
  }
  while (at_ < kNumBytes && !text.empty()) {
    uint32_t group = 0;
    std::string_view before = text;
    if (!ParseGroup(&text, &group)) return false;
    if (text.size() == before.size()) {
      if (ellipsis_ > kNumBytes && at_ != kV4Begin) {
        return Fail("embedded IPv4 address must replace the final 2 fields of the address", text);
      }
      if (at_ + 4 > kNumBytes) {
        return Fail("too many hex fields to fit an embedded IPv4 at the end of the address", text);
      }
      if (!ParseV4(text, at_)) return false;
      text = {};
      at_ += 4;
      break;
    }
    address_.bytes_[at_++] = static_cast<uint8_t>(group >> 8);
    address_.bytes_[at_++] = static_cast<uint8_t>(group);
    if (!text.empty() && !ParseSeparator(&text)) return false;
  }
  if (!text.empty()) return Fail("trailing garbage after address", text);
  if (at_ < kNumBytes) {
    if (ellipsis_ > kNumBytes) return Fail("address string too short");
    auto begin = address_.bytes_.begin() + static_cast<ptrdiff_t>(ellipsis_);
    auto end = address_.bytes_.begin() + static_cast<ptrdiff_t>(at_);
    auto moved = std::move_backward(begin, end, address_.bytes_.end());
    std::fill(begin, moved, 0);
  } else if (ellipsis_ <= kNumBytes) {
    return Fail("the :: must expand to at least one field of zeros");
  }
  return true;
}

Result<IpAddress, IpError> IpAddress::Parse(std::string_view text, bool* has_zone) {
  *has_zone = false;
  IpParser parser(text);
  if (!parser.Parse(has_zone)) return IpError{parser.error()};
  return parser.address();
}

bool IpAddress::IsZeroBefore(size_t end) const {
  return std::all_of(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(end),
                     [](uint8_t byte) { return byte == 0; });
}

bool IpAddress::IsV4InV6() const {
  return !is_v4_ && IsZeroBefore(10) && bytes_[10] == 0xFF && bytes_[11] == 0xFF;
}

bool IpAddress::IsUnspecified() const { return IsZeroBefore(kNumBytes); }

bool IpAddress::IsLoopback() const {
  return is_v4_ ? first() == 127 : IsZeroBefore(kNumBytes - 1) && bytes_[kNumBytes - 1] == 1;
}

bool IpAddress::IsMulticast() const { return is_v4_ ? (first() & 0xF0) == 0xE0 : first() == 0xFF; }

bool IpAddress::IsLinkLocalMulticast() const {
  if (is_v4_) return first() == 224 && second() == 0 && bytes_[14] == 0;
  return first() == 0xFF && (second() & 0x0F) == 0x02;
}

bool IpAddress::IsLinkLocalUnicast() const {
  if (is_v4_) return first() == 169 && second() == 254;
  return first() == 0xFE && (second() & 0xC0) == 0x80;
}

bool IpAddress::IsV4Broadcast() const {
  return is_v4_ && std::all_of(bytes_.begin() + kV4Begin, bytes_.end(),
                               [](uint8_t byte) { return byte == 0xFF; });
}

bool IpAddress::IsGlobalUnicast() const {
  return !IsUnspecified() && !IsV4Broadcast() && !IsLoopback() && !IsMulticast() &&
         !IsLinkLocalUnicast();
}

IpAddress IpAddress::Masked(int bits) const {
  IpAddress masked = *this;
  size_t begin = is_v4_ ? kV4Begin : 0;
  for (size_t place = begin; place < kNumBytes; ++place) {
    int kept = std::clamp(bits - static_cast<int>(place - begin) * 8, 0, 8);
    masked.bytes_[place] &= static_cast<uint8_t>(0xFF00 >> kept);
  }
  return masked;
}

std::string IpAddress::ToString() const {
  auto v4 = [this] {
    return Format("{}.{}.{}.{}", bytes_[12], bytes_[13], bytes_[14], bytes_[15]);
  };
  if (is_v4_) return v4();
  if (IsV4InV6()) return "::ffff:" + v4();
  constexpr size_t kGroups = 8;
  auto group = [this](size_t place) {
    return static_cast<uint32_t>(bytes_[place * 2] << 8 | bytes_[place * 2 + 1]);
  };
  size_t zeros_begin = kGroups;  // the first one of the longest runs of zeros
  size_t zeros_end = kGroups + 1;
  for (size_t begin = 0; begin < kGroups; ++begin) {
    size_t end = begin;
    while (end < kGroups && group(end) == 0) ++end;
    bool is_longest = zeros_begin == kGroups || end - begin > zeros_end - zeros_begin;
    if (end - begin < 2 || !is_longest) continue;
    zeros_begin = begin;
    zeros_end = end;
  }
  std::string text;
  for (size_t place = 0; place < kGroups; ++place) {
    if (place == zeros_begin) {
      text += "::";
      place = zeros_end;
      if (place >= kGroups) break;
    } else if (place > 0) {
      text += ':';
    }
    text += Format("{:x}", group(place));
  }
  return text;
}

Result<IpPrefix, IpError> IpPrefix::Parse(std::string_view text) {
  auto fail = [text](std::string_view reason) {
    return IpError{"netip.ParsePrefix(" + Quoted(text) + "): " + std::string(reason)};
  };
  size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return fail("no '/'");
  bool has_zone = false;
  Result<IpAddress, IpError> address = IpAddress::Parse(text.substr(0, slash), &has_zone);
  if (!address.ok()) return fail(address.fault().message);
  if (has_zone) return fail("IPv6 zones cannot be present in a prefix");
  std::string_view digits = text.substr(slash + 1);
  constexpr size_t kDigitsMax = 18;
  bool is_number = !digits.empty() && (digits.size() == 1 || digits[0] != '0') &&
                   digits.size() <= kDigitsMax &&
                   digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number) return fail("bad bits after slash: " + Quoted(digits));
  int64_t bits = 0;
  for (char digit : digits) bits = bits * 10 + (digit - '0');
  if (bits > address->bits()) return fail("prefix length out of range");
  return IpPrefix{*address, static_cast<int>(bits)};
}

}  // namespace stowage::cel
