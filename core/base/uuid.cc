#include "core/base/uuid.h"

#include <span>

#include "core/base/sha256.h"

namespace stowage {

std::string UuidOf(std::string_view seed) {
  Sha256Digest digest = Sha256(seed);
  digest[6] = static_cast<uint8_t>((digest[6] & 0x0f) | 0x40);  // version 4
  digest[8] = static_cast<uint8_t>((digest[8] & 0x3f) | 0x80);  // variant of RFC 9562
  constexpr size_t kNumBytes = 16;
  char hex[2 * kNumBytes];
  WriteHexText(std::span(digest).first(kNumBytes), hex);
  std::string uuid(hex, sizeof(hex));
  for (size_t place : {20, 16, 12, 8}) uuid.insert(place, 1, '-');
  return uuid;
}

}  // namespace stowage
