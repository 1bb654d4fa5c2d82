// Sha256 is the SHA-256 of a message that is given in parts. Counterpart: FIPS 180-4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stowage {

class Sha256 {
 public:
  static constexpr size_t kDigestBytes = 32;

  void Update(std::string_view bytes);
  // The digest of all that was given. Ends the message: nothing may be asked afterwards.
  std::array<uint8_t, kDigestBytes> Finish();

 private:
  static constexpr size_t kBlockBytes = 64;

  void AddBlock(std::string_view block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string rest_;  // of the message; less than a block
  uint64_t size_bytes_ = 0;
  bool is_finished_ = false;
};

// Two lower-case hexadecimal digits a byte.
std::string HexText(std::span<const uint8_t> bytes);

}  // namespace stowage
