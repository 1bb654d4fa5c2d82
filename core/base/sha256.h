// SHA-256 of a whole message. Counterpart: FIPS 180-4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace stowage {

using Sha256Digest = std::array<uint8_t, 32>;

// A message of up to 55 bytes costs one block, and each 64 more another one.
Sha256Digest Sha256(std::string_view message);

// Two lower-case hexadecimal digits a byte, into `text`, which has room for them.
void WriteHexText(std::span<const uint8_t> bytes, char* text);

}  // namespace stowage
