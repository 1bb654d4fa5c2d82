// BindingsUnderWay are the pods whose binding cycles have begun and not ended, as they were
// assumed. A pod is tried once at a time: while its binding may still succeed, nothing else decides
// about it.
#pragma once

#include "core/base/hash_map.h"
#include "core/table/pod_info.h"

namespace stowage {

class BindingsUnderWay {
 public:
  void Add(PodInfoRef assumed) { assumed_[assumed->uid()] = std::move(assumed); }
  void Remove(const Symbol& uid) { assumed_.erase(uid); }
  // The pod with its node; null when no such binding is under way.
  PodInfoRef Get(const Symbol& uid) const {
    auto found = assumed_.find(uid);
    return found == assumed_.end() ? nullptr : found->second;
  }

 private:
  HashMap<Symbol, PodInfoRef, SymbolNumber> assumed_;
};

}  // namespace stowage
