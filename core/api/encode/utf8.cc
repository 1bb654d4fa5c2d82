#include "core/api/encode/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace stowage {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool IsContinuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// The properties that the first byte determines: the size of the sequence and the range of the
// second byte.
struct Lead {
  size_t size;
  unsigned char second_min;
  unsigned char second_max;
};

Lead LeadOf(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xc2) return {0, 0, 0};
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

// Skips plain ASCII eight bytes at a time.
size_t SkipAscii(std::string_view text, size_t offset) {
  while (offset + sizeof(uint64_t) <= text.size()) {
    uint64_t word;
    std::memcpy(&word, text.data() + offset, sizeof word);
    if ((word & 0x8080808080808080u) != 0) break;
    offset += sizeof word;
  }
  return offset;
}

}  // namespace

size_t Utf8SequenceSize(std::string_view text, size_t offset) {
  Lead lead = LeadOf(static_cast<unsigned char>(text[offset]));
  if (lead.size <= 1) return lead.size;
  if (text.size() - offset < lead.size) return 0;
  auto second = static_cast<unsigned char>(text[offset + 1]);
  if (second < lead.second_min || second > lead.second_max) return 0;
  for (size_t index = 2; index < lead.size; ++index) {
    if (!IsContinuation(static_cast<unsigned char>(text[offset + index]))) return 0;
  }
  return lead.size;
}

size_t FindInvalidUtf8(std::string_view text) {
  size_t offset = SkipAscii(text, 0);
  while (offset < text.size()) {
    size_t size = Utf8SequenceSize(text, offset);
    if (size == 0) return offset;
    offset = SkipAscii(text, offset + size);
  }
  return text.size();
}

std::string ToValidUtf8(std::string_view text, size_t size_max) {
  std::string valid;
  size_t end = std::min(text.size(), size_max);
  for (size_t offset = 0; offset < end;) {
    size_t size = Utf8SequenceSize(text, offset);
    if (size > end - offset) break;
    valid += size == 0 ? kReplacement : text.substr(offset, size);
    offset += size == 0 ? 1 : size;
  }
  return valid;
}

}  // namespace stowage
