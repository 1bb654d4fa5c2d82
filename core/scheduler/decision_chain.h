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
//
// The hashes of several decisions are computed together: a decision runs more code than a
// processor's first cache holds, and SHA-256 after each would load its own code each time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  // The size of a hash in hexadecimal digits.
  static constexpr size_t kDigits = 2 * sizeof(Sha256Digest);

  // Adds a decision, whose hash WriteHashes writes at `place`.
  void Add(const ChainedDecision& decision, size_t place);
  // Computes the hashes of the decisions since the last call, and writes each at its place in
  // `text`.
  void WriteHashes(std::string* text);
  // The decisions whose hashes are not written yet.
  size_t num_waiting() const { return waiting_.size(); }

  // The last hash that was written, as hexadecimal digits; zeros before the first decision.
  std::string hash() const;

 private:
  struct Waiting {
    size_t place;
    size_t size;  // of its bytes
  };

  uint64_t num_decisions_ = 0;
  Sha256Digest hash_{};
  std::vector<Waiting> waiting_;
  // The bytes of the waiting decisions, one after the other, and what is left of earlier ones.
  std::string bytes_;
  size_t num_bytes_ = 0;
};

}  // namespace stowage
