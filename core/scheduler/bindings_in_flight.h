// BindingsInFlight holds the assumed pods whose binding cycles have started and not ended. While a
// pod's binding may still succeed, no second attempt for it may start.
#pragma once

#include "core/base/hash_map.h"
#include "core/table/pod_info.h"

namespace stowage {

class BindingsInFlight {
 public:
  void Add(PodInfoRef assumed) {
    if (last_ != nullptr) others_[last_->uid()] = std::move(last_);
    last_ = std::move(assumed);
  }
  void Remove(const Symbol& uid) {
    if (last_ != nullptr && last_->uid() == uid) {
      last_ = nullptr;
    } else {
      others_.erase(uid);
    }
  }
  // The pod with its node; null if no binding of that uid is under way.
  PodInfoRef Get(const Symbol& uid) const {
    if (last_ != nullptr && last_->uid() == uid) return last_;
    auto found = others_.find(uid);
    return found == others_.end() ? nullptr : found->second;
  }

 private:
  // Usually one binding ends before the next one starts.
  PodInfoRef last_;
  HashMap<Symbol, PodInfoRef, SymbolNumber> others_;
};

}  // namespace stowage
