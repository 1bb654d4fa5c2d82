#include "core/base/sha256.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"

namespace stowage {
namespace {

constexpr size_t kRounds = 64;

constexpr uint32_t kRoundConstants[kRounds] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

std::array<uint32_t, kRounds> ScheduleOf(std::string_view block) {
  std::array<uint32_t, kRounds> words{};
  for (size_t index = 0; index < 16; ++index) {
    for (size_t byte = 0; byte < 4; ++byte) {
      words[index] = words[index] << 8 | static_cast<uint8_t>(block[4 * index + byte]);
    }
  }
  for (size_t index = 16; index < kRounds; ++index) {
    uint32_t early = words[index - 15];
    uint32_t late = words[index - 2];
    uint32_t early_sigma = std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3;
    uint32_t late_sigma = std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10;
    words[index] = late_sigma + words[index - 7] + early_sigma + words[index - 16];
  }
  return words;
}

}  // namespace

void Sha256::AddBlock(std::string_view block) {
  const std::array<uint32_t, kRounds> words = ScheduleOf(block);
  auto [a, b, c, d, e, f, g, h] = state_;
  for (size_t round = 0; round < kRounds; ++round) {
    uint32_t e_sum = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    uint32_t choice = (e & f) ^ (~e & g);
    uint32_t t1 = h + e_sum + choice + kRoundConstants[round] + words[round];
    uint32_t a_sum = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + a_sum + majority;
  }
  const uint32_t mixed[] = {a, b, c, d, e, f, g, h};
  for (size_t index = 0; index < state_.size(); ++index) state_[index] += mixed[index];
}

void Sha256::Update(std::string_view bytes) {
  CHECK(!is_finished_);
  size_bytes_ += bytes.size();
  if (!rest_.empty()) {
    size_t missing = std::min(kBlockBytes - rest_.size(), bytes.size());
    rest_ += bytes.substr(0, missing);
    bytes.remove_prefix(missing);
    if (rest_.size() < kBlockBytes) return;
    AddBlock(rest_);
    rest_.clear();
  }
  for (; bytes.size() >= kBlockBytes; bytes.remove_prefix(kBlockBytes)) AddBlock(bytes);
  rest_ = bytes;
}

std::array<uint8_t, Sha256::kDigestBytes> Sha256::Finish() {
  CHECK(!is_finished_);
  uint64_t size_bits = size_bytes_ * 8;
  std::string padding(1, '\x80');
  while ((rest_.size() + padding.size()) % kBlockBytes != kBlockBytes - sizeof(size_bits)) {
    padding += '\0';
  }
  for (int shift = 56; shift >= 0; shift -= 8) {
    padding += static_cast<char>(size_bits >> shift & 0xff);
  }
  Update(padding);
  is_finished_ = true;
  std::array<uint8_t, kDigestBytes> digest{};
  for (size_t index = 0; index < digest.size(); ++index) {
    digest[index] = static_cast<uint8_t>(state_[index / 4] >> (24 - 8 * (index % 4)));
  }
  return digest;
}

std::string HexText(std::span<const uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace stowage
