// The messages of upstream's field errors: "path: Invalid value: "x": detail".
// Counterpart: apimachinery/pkg/util/validation/field and pkg/util/errors, v1.36.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/symbol.h"

namespace stowage {

// Quotes like Go's strconv.Quote (%q), but keeps all non-ASCII text unescaped.
std::string GoQuote(std::string_view text);

// Field paths: "a" + "b" → "a.b", "a" + 2 → "a[2]". The empty path is the root.
std::string ChildPath(std::string_view path, std::string_view name);
std::string IndexPath(std::string_view path, size_t index);

std::string InvalidValue(std::string_view path, std::string_view value, std::string_view detail);
// Writes lists as JSON, an empty list as null.
std::string InvalidValue(std::string_view path, const std::vector<Symbol>& values,
                         std::string_view detail);
std::string UnsupportedValue(std::string_view path, std::string_view value,
                             std::initializer_list<std::string_view> supported);

// Collects several errors, in order, and reports them as one.
class FieldErrors {
 public:
  FieldErrors() = default;
  explicit FieldErrors(std::string message) { Add(std::move(message)); }

  void Add(std::string message) { messages_.push_back(std::move(message)); }
  void Add(const FieldErrors& other) {
    messages_.insert(messages_.end(), other.messages_.begin(), other.messages_.end());
  }

  bool empty() const { return messages_.empty(); }
  const std::vector<std::string>& messages() const { return messages_; }
  // "message", or "[first, second]"; equal messages appear once.
  std::string Text() const;

 private:
  std::vector<std::string> messages_;
};

}  // namespace stowage
