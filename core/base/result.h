// Result holds a value, or the fault because of which there is none.
//
// It is for errors from outside the program (bad input, bad configuration). A verdict about a pod
// is a Status (core/framework/status.h); a bug is a CHECK.
#pragma once

#include <optional>
#include <utility>

#include "core/base/check.h"

namespace stowage {

template <typename T, typename E>
class Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit on purpose
  Result(E fault) : fault_(std::move(fault)) {}  // NOLINT: implicit on purpose

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  const T& value() const {
    CHECK(ok());
    return *value_;
  }
  T& value() {
    CHECK(ok());
    return *value_;
  }
  T Take() {
    CHECK(ok());
    return std::move(*value_);
  }
  const E& fault() const {
    CHECK(!ok());
    return *fault_;
  }

  const T& operator*() const { return value(); }
  T& operator*() { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::optional<T> value_;
  std::optional<E> fault_;
};

}  // namespace stowage
