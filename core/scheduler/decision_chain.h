// DecisionChain hashes decisions in their order, so that two runs can be compared by one line.
//
// The hash of each decision is the SHA-256 of these bytes:
//
//   the hash before it                 32 bytes; zeros before the first
//   the decision's number, from 1      8 bytes, little-endian
//   its time in microseconds           8 bytes, little-endian, two's complement
//   its result                         1 byte: a DecisionResult
//   uid, node, message, nominatedNodeName
//                                      each its size as unsigned LEB128, then its bytes
//   the number of its victims, and the uid of each
//                                      unsigned LEB128, then as the texts above
//
// The hash does not cover the record's text: new record members leave hashes unchanged, and most
// decisions fit into two SHA-256 blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/instant.h"
#include "core/base/sha256.h"
#include "core/table/pod_info.h"

namespace stowage {

// The hash uses these numbers.
enum class DecisionResult : uint8_t {
  kScheduled = 0,
  kUnschedulable = 1,
  kError = 2,
  kSkipped = 3,
  kGated = 4,  // never hashed: a gated pod has no decision
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

  // The hash of the last decision as hexadecimal digits; zeros before the first decision.
  std::string_view hash() const { return hash_text_; }

 private:
  uint64_t num_decisions_ = 0;
  Sha256Digest hash_{};
  std::string hash_text_ = std::string(2 * sizeof(Sha256Digest), '0');
  std::string hashed_;  // reused to avoid allocations
};

}  // namespace stowage
