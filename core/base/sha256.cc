#include "core/base/sha256.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/check.h"
#include "core/base/lanes.h"
#include "core/base/simd.h"

namespace stowage {
namespace {

constexpr size_t kBlockBytes = 64;
constexpr size_t kBlockWords = 16;
constexpr size_t kRounds = 64;
constexpr size_t kVariables = 8;

using State = std::array<uint32_t, kVariables>;

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

using SixteenBytes = uint8_t __attribute__((vector_size(16)));

// The hexadecimal digits of numbers below 16.
STOWAGE_SIMD SixteenBytes HexDigits(SixteenBytes numbers) {
  auto are_letters = std::bit_cast<SixteenBytes>(numbers > 9);
  return numbers + '0' + (are_letters & ('a' - '9' - 1));
}

// Words are big-endian.
uint32_t WordAt(const uint8_t* from) {
  return uint32_t{from[0]} << 24 | uint32_t{from[1]} << 16 | uint32_t{from[2]} << 8 | from[3];
}

void PutWord(uint32_t word, uint8_t* to) {
  to[0] = static_cast<uint8_t>(word >> 24);
  to[1] = static_cast<uint8_t>(word >> 16);
  to[2] = static_cast<uint8_t>(word >> 8);
  to[3] = static_cast<uint8_t>(word);
}

// The compression of one block. Rounds are written out sixteen at a time, so that all indexes are
// constants: words and variables then stay in registers, natively and in WebAssembly.
class Compression {
 public:
  Compression(const State& state, const uint8_t* block) : variables_(state) {
    for (size_t index = 0; index < kBlockWords; ++index) words_[index] = WordAt(block + 4 * index);
    b_xor_c_ = variables_[1] ^ variables_[2];
  }

  State Run() {
    using Words = std::make_index_sequence<kBlockWords>;
    DoRounds(kRoundConstants, Words());
    for (size_t round = kBlockWords; round < kRounds; round += kBlockWords) {
      DoScheduledRounds(kRoundConstants + round, Words());
    }
    return variables_;
  }

 private:
  template <size_t... kWord>
  [[gnu::always_inline]] void DoRounds(const uint32_t* constants, std::index_sequence<kWord...>) {
    (DoRound<kWord>(constants[kWord]), ...);
  }

  template <size_t... kWord>
  [[gnu::always_inline]] void DoScheduledRounds(const uint32_t* constants,
                                                std::index_sequence<kWord...>) {
    ((Schedule<kWord>(), DoRound<kWord>(constants[kWord])), ...);
  }

  // The word of this round replaces that of sixteen rounds ago.
  template <size_t kWord>
  [[gnu::always_inline]] void Schedule() {
    uint32_t early = words_[(kWord + 1) % kBlockWords];
    uint32_t late = words_[(kWord + 14) % kBlockWords];
    uint32_t early_sigma = std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3;
    uint32_t late_sigma = std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10;
    words_[kWord] += early_sigma + words_[(kWord + 9) % kBlockWords] + late_sigma;
  }

  // The standard moves each variable's value to the next one; here the names move instead.
  template <size_t kWord, size_t kName>
  uint32_t& Variable() {
    return variables_[(kName + kRounds - kWord) % kVariables];
  }

  template <size_t kWord>
  [[gnu::always_inline]] void DoRound(uint32_t constant) {
    uint32_t& a = Variable<kWord, 0>();
    uint32_t& b = Variable<kWord, 1>();
    uint32_t& d = Variable<kWord, 3>();
    uint32_t& e = Variable<kWord, 4>();
    uint32_t& f = Variable<kWord, 5>();
    uint32_t& g = Variable<kWord, 6>();
    uint32_t& h = Variable<kWord, 7>();
    h += constant + words_[kWord];
    h += std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    h += g ^ (e & (f ^ g));  // the choice of f or g
    d += h;
    h += std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    uint32_t a_xor_b = a ^ b;
    h += b ^ (a_xor_b & b_xor_c_);  // the majority of a, b and c
    b_xor_c_ = a_xor_b;
  }

  State variables_;
  uint32_t words_[kBlockWords];
  uint32_t b_xor_c_;
};

void AddBlock(const uint8_t* block, State* state) {
  State compressed = Compression(*state, block).Run();
  for (size_t index = 0; index < kVariables; ++index) (*state)[index] += compressed[index];
}

}  // namespace

Sha256Digest Sha256(std::string_view message) {
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto* bytes = reinterpret_cast<const uint8_t*>(message.data());
  size_t rest = message.size();
  for (; rest >= kBlockBytes; rest -= kBlockBytes, bytes += kBlockBytes) AddBlock(bytes, &state);
  // The rest of the message, one bit, zeros, and the size in bits: in one block if there is room.
  uint8_t end[2 * kBlockBytes] = {};
  std::copy_n(bytes, rest, end);
  end[rest] = 0x80;
  size_t end_size = rest + 1 + sizeof(uint64_t) <= kBlockBytes ? kBlockBytes : 2 * kBlockBytes;
  uint64_t size_bits = uint64_t{message.size()} * 8;
  PutWord(static_cast<uint32_t>(size_bits >> 32), end + end_size - 8);
  PutWord(static_cast<uint32_t>(size_bits), end + end_size - 4);
  for (size_t offset = 0; offset < end_size; offset += kBlockBytes) AddBlock(end + offset, &state);
  Sha256Digest digest;
  for (size_t index = 0; index < kVariables; ++index) PutWord(state[index], &digest[4 * index]);
  return digest;
}

STOWAGE_SIMD void WriteHexText(std::span<const uint8_t> bytes, char* text) {
  constexpr size_t kStep = sizeof(SixteenBytes);
  CHECK(bytes.size() % kStep == 0);
  for (size_t offset = 0; offset < bytes.size(); offset += kStep) {
    auto numbers = LoadLanes<SixteenBytes>(&bytes[offset]);
    SixteenBytes high = HexDigits(numbers >> 4);
    SixteenBytes low = HexDigits(numbers & 15);
    StoreLanes(
        __builtin_shufflevector(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
        text + 2 * offset);
    StoreLanes(__builtin_shufflevector(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14,
                                       30, 15, 31),
               text + 2 * offset + kStep);
  }
}

}  // namespace stowage
