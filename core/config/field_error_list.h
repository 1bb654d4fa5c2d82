// FieldErrorList collects findings with their fields, in Kubernetes' form: "<path>: <kind>:
// <value>: <detail>". Counterpart: field.ErrorList of apimachinery/pkg/util/validation/field,
// v1.36.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/decode/duration.h"
#include "core/api/field_error.h"
#include "core/config/configuration_error.h"

namespace stowage {

// "profiles[0].plugins.filter"; the empty path is the root.
class FieldPath {
 public:
  FieldPath() = default;

  FieldPath Child(std::string_view name) const { return FieldPath(ChildPath(text_, name)); }
  FieldPath Index(size_t index) const { return FieldPath(IndexPath(text_, index)); }
  const std::string& text() const { return text_; }

 private:
  explicit FieldPath(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

class FieldErrorList {
 public:
  // `value` is the printed form of the value: a number, a quoted text or JSON.
  void Invalid(const FieldPath& path, std::string_view value, std::string_view detail);
  void Required(const FieldPath& path, std::string_view detail = {});
  void Duplicate(const FieldPath& path, std::string_view value);
  void Forbidden(const FieldPath& path, std::string_view detail);
  // `value` and `supported` are unquoted texts.
  void NotSupported(const FieldPath& path, std::string_view value,
                    std::initializer_list<std::string_view> supported);

  // `detail` is the complete text.
  void Add(std::string field, std::string detail) {
    entries_.push_back({std::move(field), std::move(detail)});
  }

  bool empty() const { return entries_.empty(); }
  std::vector<ConfigurationError::Entry> Take() { return std::move(entries_); }

 private:
  std::vector<ConfigurationError::Entry> entries_;
};

// A duration in Go's form: "15s", "1h0m0.5s", "1.5ms", "0s".
std::string DurationText(Duration duration);

}  // namespace stowage
