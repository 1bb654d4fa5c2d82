// Inference finds out whether types fit, and binds type variables on the way.
// Source: cel-go's checker; the more general of two types that fit is kept.
#pragma once

#include <string_view>
#include <vector>

#include "core/cel/arena.h"
#include "core/cel/type.h"

namespace stowage::cel {

class Inference {
 public:
  explicit Inference(Arena& arena) : arena_(arena) {}

  const Type* NewVariable();
  // Whether a value of type `from` may stand where `to` is expected. If so, bindings are kept; if
  // not, none is added.
  bool IsAssignable(const Type& to, const Type& from);
  bool IsAssignable(const std::vector<const Type*>& to, const std::vector<const Type*>& from);
  // The type with bound variables replaced; free ones become dyn if `frees_are_dyn`.
  const Type* Substitute(const Type* type, bool frees_are_dyn);
  // The more general of two types, one of which is assignable to the other.
  static const Type* MostGeneral(const Type* a, const Type* b);
  // Whether the work was more than any reasonable expression needs; results are then of no use.
  bool is_exhausted() const { return steps_left_ == 0 || arena_.is_exhausted(); }

 private:
  struct Binding {
    const Type* variable;
    const Type* type;
  };

  const Type* Find(const Type* variable) const;
  bool Assign(const Type& to, const Type& from);
  // Whether `type` may be bound to `variable`. `is_bound` tells whether it is bound already.
  bool Bind(const Type& type, const Type& variable, bool* is_bound);
  bool IsReferencedIn(const Type& variable, const Type& type);
  bool Spend() {
    if (steps_left_ > 0) --steps_left_;
    return steps_left_ > 0;
  }

  static constexpr int kStepsMax = 2'000'000;

  Arena& arena_;
  std::vector<Binding> bindings_;  // of several for one variable, the last counts
  int num_variables_ = 0;
  int steps_left_ = kStepsMax;
};

}  // namespace stowage::cel
