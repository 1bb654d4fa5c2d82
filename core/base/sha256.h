// SHA-256 of a whole message. Counterpart: FIPS 180-4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace stowage {

using Sha256Digest = std::array<uint8_t, 32>;

// A message of up to 55 bytes takes one block, and each further 64 bytes another one.
Sha256Digest Sha256(std::string_view message);

// Writes two lower-case hexadecimal digits per byte to `text`, which must have room for them. The
// number of bytes must be a multiple of 16.
void WriteHexText(std::span<const uint8_t> bytes, char* text);

}  // namespace stowage
