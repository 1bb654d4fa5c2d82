#include "core/base/sha256.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

namespace stowage {
namespace {

std::string HexText(std::span<const uint8_t> bytes) {
  std::string text(2 * bytes.size(), ' ');
  WriteHexText(bytes, text.data());
  return text;
}

std::string DigestOf(std::string_view message) { return HexText(Sha256(message)); }

// The examples that NIST publishes for FIPS 180-4.
TEST(Sha256, EqualsThePublishedDigests) {
  struct {
    std::string message;
    std::string_view want;
  } cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmn"
       "o"
       "pqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
      {"\xbd", "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"},
      {std::string(55, '\0'), "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"},
      {std::string(56, '\0'), "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"},
      {std::string(64, '\0'), "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"},
  };
  for (const auto& c : cases) EXPECT_EQ(DigestOf(c.message), c.want) << c.message.size();
}

TEST(WriteHexText, WritesTwoLowerCaseDigitsAByte) {
  const uint8_t bytes[] = {0x00, 0x0a, 0xa0, 0xff, 0x5c, 0x09, 0x90, 0x9a,
                           0xa9, 0x12, 0x34, 0x56, 0x78, 0xbc, 0xde, 0xf0};
  EXPECT_EQ(HexText(bytes), "000aa0ff5c09909aa912345678bcdef0");
  EXPECT_EQ(HexText({}), "");
}

}  // namespace
}  // namespace stowage
