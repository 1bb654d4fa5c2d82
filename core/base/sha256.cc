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
void PutWord(uint32_t word, uint8_t* to) {
  to[0] = static_cast<uint8_t>(word >> 24);
  to[1] = static_cast<uint8_t>(word >> 16);
  to[2] = static_cast<uint8_t>(word >> 8);
  to[3] = static_cast<uint8_t>(word);
}

using FourWords = uint32_t __attribute__((vector_size(16)));
using TwoPairs = uint64_t __attribute__((vector_size(16)));

// The compression of one block. Words are scheduled four at a time. Rounds are written out sixteen
// at a time, so that all indexes are constants: variables then stay in registers, natively and in
// WebAssembly.
class Compression {
 public:
  STOWAGE_SIMD Compression(const State& state, const uint8_t* block) : variables_(state) {
    for (size_t part = 0; part < kParts; ++part) {
      auto bytes = LoadLanes<SixteenBytes>(block + sizeof(SixteenBytes) * part);
      words_[part] = std::bit_cast<FourWords>(__builtin_shufflevector(
          bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    }
    b_xor_c_ = variables_[1] ^ variables_[2];
  }

  STOWAGE_SIMD State Run() {
    for (size_t round = 0; round < kRounds; round += kBlockWords) {
      if (round > 0) {
        Schedule<0>();
        Schedule<1>();
        Schedule<2>();
        Schedule<3>();
      }
      for (size_t part = 0; part < kParts; ++part) {
        auto constants = LoadLanes<FourWords>(kRoundConstants + round + 4 * part);
        StoreLanes(words_[part] + constants, added_ + 4 * part);
      }
      DoRounds(std::make_index_sequence<kBlockWords>());
    }
    return variables_;
  }

 private:
  static constexpr size_t kParts = kBlockWords / 4;

  template <size_t... kWord>
  [[gnu::always_inline]] void DoRounds(std::index_sequence<kWord...>) {
    (DoRound<kWord>(), ...);
  }

  // These words replace those of sixteen rounds ago. The last two depend on the first two.
  template <size_t kPart>
  STOWAGE_SIMD [[gnu::always_inline]] void Schedule() {
    const FourWords first = words_[kPart];
    const FourWords second = words_[(kPart + 1) % kParts];
    const FourWords third = words_[(kPart + 2) % kParts];
    const FourWords last = words_[(kPart + 3) % kParts];
    const FourWords early = __builtin_shufflevector(first, second, 1, 2, 3, 4);
    FourWords sum = first + __builtin_shufflevector(third, last, 1, 2, 3, 4);
    sum += (early >> 7 | early << 25) ^ (early >> 18 | early << 14) ^ early >> 3;
    const FourWords none = {};
    sum += __builtin_shufflevector(LateSigma(__builtin_shufflevector(last, last, 2, 2, 3, 3)), none,
                                   0, 2, 4, 4);
    sum += __builtin_shufflevector(LateSigma(__builtin_shufflevector(sum, sum, 0, 0, 1, 1)), none,
                                   4, 4, 0, 2);
    words_[kPart] = sum;
  }

  // Of pairs of equal words, in the lower word of each: to shift a pair is to rotate its word.
  STOWAGE_SIMD [[gnu::always_inline]] static FourWords LateSigma(FourWords late) {
    auto pairs = std::bit_cast<TwoPairs>(late);
    return std::bit_cast<FourWords>(pairs >> 17 ^ pairs >> 19) ^ late >> 10;
  }

  // The standard moves each variable's value to the next one; here the names move instead.
  template <size_t kWord, size_t kName>
  uint32_t& Variable() {
    return variables_[(kName + kRounds - kWord) % kVariables];
  }

  template <size_t kWord>
  [[gnu::always_inline]] void DoRound() {
    uint32_t& a = Variable<kWord, 0>();
    uint32_t& b = Variable<kWord, 1>();
    uint32_t& d = Variable<kWord, 3>();
    uint32_t& e = Variable<kWord, 4>();
    uint32_t& f = Variable<kWord, 5>();
    uint32_t& g = Variable<kWord, 6>();
    uint32_t& h = Variable<kWord, 7>();
    h += added_[kWord];
    h += g ^ (e & (f ^ g));  // the choice of f or g
    h += std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    d += h;
    h += std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    uint32_t a_xor_b = a ^ b;
    h += b ^ (a_xor_b & b_xor_c_);  // the majority of a, b and c
    b_xor_c_ = a_xor_b;
  }

  State variables_;
  FourWords words_[kParts];
  uint32_t added_[kBlockWords];  // the words of sixteen rounds, with their constants
  uint32_t b_xor_c_;
};

STOWAGE_SIMD void AddBlock(const uint8_t* block, State* state) {
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
