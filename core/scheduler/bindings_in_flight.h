// BindingsInFlight holds the assumed pods whose binding cycles have started and not ended. While a
// pod's binding may still succeed, no second attempt for it may start.
#pragma once

#include "core/base/hash_map.h"
#include "core/table/pod_info.h"

namespace stowage {

class BindingsInFlight {
 public:
  void Add(PodInfoRef assumed) { assumed_[assumed->uid()] = std::move(assumed); }
  void Remove(const Symbol& uid) { assumed_.erase(uid); }
  // The pod with its node; null if no binding of that uid is under way.
  PodInfoRef Get(const Symbol& uid) const {
    auto found = assumed_.find(uid);
    return found == assumed_.end() ? nullptr : found->second;
  }

 private:
  HashMap<Symbol, PodInfoRef, SymbolNumber> assumed_;
};

}  // namespace stowage
