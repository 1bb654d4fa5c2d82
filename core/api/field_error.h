// The texts of upstream's field errors: "path: Invalid value: "x": detail".
// Counterpart: apimachinery/pkg/util/validation/field and pkg/util/errors, v1.36.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/symbol.h"

namespace stowage {

// Go's strconv.Quote (%q), for text without unusual Unicode: other than ASCII is kept as it is.
std::string GoQuote(std::string_view text);

// Field paths: "a" + "b" → "a.b", "a" + 2 → "a[2]". The empty path is the root.
std::string ChildPath(std::string_view path, std::string_view name);
std::string IndexPath(std::string_view path, size_t index);

std::string InvalidValue(std::string_view path, std::string_view value, std::string_view detail);
// Lists are shown as JSON, the empty one as null.
std::string InvalidValue(std::string_view path, const std::vector<Symbol>& values,
                         std::string_view detail);
std::string UnsupportedValue(std::string_view path, std::string_view value,
                             std::initializer_list<std::string_view> supported);

// Several errors as one, in order.
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
  // Repeated messages count once: "message", or "[first, second]".
  std::string Text() const;

 private:
  std::vector<std::string> messages_;
};

}  // namespace stowage
