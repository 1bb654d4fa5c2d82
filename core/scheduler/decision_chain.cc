#include "core/scheduler/decision_chain.h"

#include <algorithm>
#include <cstring>

namespace stowage {
namespace {

constexpr size_t kLeb128BytesMax = 10;

size_t SizeMax(std::string_view text) { return kLeb128BytesMax + text.size(); }

// An upper bound of the encoded size of `decision` in bytes.
size_t SizeMax(const ChainedDecision& decision) {
  size_t size = sizeof(Sha256Digest) + 2 * sizeof(uint64_t) + 1;
  size += SizeMax(decision.uid) + SizeMax(decision.node) + SizeMax(decision.message);
  size += SizeMax(decision.nominated_node_name) + kLeb128BytesMax;
  for (const PodInfoRef& victim : decision.victims) size += SizeMax(victim->uid().view());
  return size;
}

// Each writes its value at `to` and returns the place behind it.
char* PutFixed(uint64_t number, char* to) {
  for (size_t shift = 0; shift < 64; shift += 8) *to++ = static_cast<char>(number >> shift & 0xff);
  return to;
}

char* PutLeb128(size_t number, char* to) {
  for (; number >= 0x80; number >>= 7) *to++ = static_cast<char>(number | 0x80);
  *to++ = static_cast<char>(number);
  return to;
}

char* PutText(std::string_view text, char* to) {
  to = PutLeb128(text.size(), to);
  return std::copy(text.begin(), text.end(), to);
}

}  // namespace

void DecisionChain::Add(const ChainedDecision& decision, size_t place) {
  size_t size_max = num_bytes_ + SizeMax(decision);
  if (bytes_.size() < size_max) bytes_.resize(size_max);
  char* begin = bytes_.data() + num_bytes_;
  char* end = PutFixed(++num_decisions_, begin + sizeof(Sha256Digest));
  end = PutFixed(static_cast<uint64_t>(decision.at.ToMicros()), end);
  *end++ = static_cast<char>(decision.result);
  end = PutText(decision.uid, end);
  end = PutText(decision.node, end);
  end = PutText(decision.message, end);
  end = PutText(decision.nominated_node_name, end);
  end = PutLeb128(decision.victims.size(), end);
  for (const PodInfoRef& victim : decision.victims) end = PutText(victim->uid().view(), end);
  size_t size = static_cast<size_t>(end - begin);
  num_bytes_ += size;
  waiting_.push_back({place, size});
}

void DecisionChain::WriteHashes(std::string* text) {
  char* bytes = bytes_.data();
  for (const Waiting& decision : waiting_) {
    std::memcpy(bytes, hash_.data(), hash_.size());
    hash_ = Sha256({bytes, decision.size});
    WriteHexText(hash_, text->data() + decision.place);
    bytes += decision.size;
  }
  waiting_.clear();
  num_bytes_ = 0;
}

std::string DecisionChain::hash() const {
  std::string text(kDigits, '0');
  WriteHexText(hash_, text.data());
  return text;
}

}  // namespace stowage
