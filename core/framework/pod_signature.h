// PodSignature is what the plugins of a profile read of a pod: pods with equal signatures get equal
// verdicts and raw scores on every node.
//
// It is a list of fragments, one per plugin. It holds texts as Symbols, so that equal words mean
// equal texts as long as the signature lives. It never includes the pod's name, uid and
// annotations.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/symbol.h"

namespace stowage {

class PodSignature {
 public:
  void Add(int64_t value) { words_.push_back(static_cast<uint64_t>(value)); }
  void Add(const Symbol& text) {
    words_.push_back(text.id());
    if (!text.empty()) symbols_.push_back(text);
  }
  // Writes a list's length before its elements, so that neighbouring lists cannot be confused.
  void AddCount(size_t count) { words_.push_back(count); }

  void Append(const PodSignature& other) {
    words_.insert(words_.end(), other.words_.begin(), other.words_.end());
    symbols_.insert(symbols_.end(), other.symbols_.begin(), other.symbols_.end());
  }

  uint64_t Hash() const {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint64_t word : words_) hash = (hash ^ word ^ (word >> 29)) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
  }

  friend bool operator==(const PodSignature& a, const PodSignature& b) {
    return a.words_ == b.words_;
  }

 private:
  std::vector<uint64_t> words_;
  std::vector<Symbol> symbols_;
};

struct PodSignatureHash {
  size_t operator()(const PodSignature& signature) const {
    return static_cast<size_t>(signature.Hash());
  }
};

}  // namespace stowage
