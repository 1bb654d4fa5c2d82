// DecisionChain is a hash over decisions in their order, so that two runs compare by one line.
//
// The hash of each is the SHA-256 of these bytes:
//
//   the hash before it                 32 bytes; zeros before the first
//   which decision it is, from 1       8 bytes, little-endian
//   its time in microseconds           8 bytes, little-endian, two's complement
//   its result                         1 byte: a DecisionResult
//   uid, node, message, nominatedNodeName
//                                      each its size as unsigned LEB128, then its bytes
//   the number of its victims, and the uid of each
//                                      unsigned LEB128, then as the texts above
//
// It is not made of the record's text: members that records may get later change no hash, and most
// decisions take two blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/instant.h"
#include "core/base/sha256.h"
#include "core/table/pod_info.h"

namespace stowage {

// Hashed as these numbers.
enum class DecisionResult : uint8_t {
  kScheduled = 0,
  kUnschedulable = 1,
  kError = 2,
  kSkipped = 3,
  kGated = 4,  // never hashed: nothing was decided
};

struct ChainedDecision {
  Instant at;
  DecisionResult result;
  std::string_view uid;
  std::string_view node = {};
  std::string_view message = {};
  std::string_view nominated_node_name = {};
  std::span<const PodInfoRef> victims = {};
};

class DecisionChain {
 public:
  void Add(const ChainedDecision& decision);

  // The hash of the last decision in hexadecimal digits; of none, zeros.
  std::string_view hash() const { return hash_text_; }

 private:
  uint64_t num_decisions_ = 0;
  Sha256Digest hash_{};
  std::string hash_text_ = std::string(2 * sizeof(Sha256Digest), '0');
  std::string hashed_;  // kept for its memory
};

}  // namespace stowage
