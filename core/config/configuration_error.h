// ConfigurationError says why kube-scheduler would not start with a configuration.
//
// `message` is exactly kube-scheduler's; `errors` has the same findings one by one, each with the
// field it is about (empty when it is about the whole) and its full text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stowage {

struct ConfigurationError {
  struct Entry {
    std::string field;   // "profiles[0].plugins.score.enabled[0].weight"
    std::string detail;  // with the field, as it stands in `message`

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  std::string message;
  std::vector<Entry> errors;

  static ConfigurationError Of(std::string field, std::string detail) {
    ConfigurationError error;
    error.message = detail;
    error.errors.push_back({std::move(field), std::move(detail)});
    return error;
  }

  // Kubernetes' aggregate: one finding as it is, several as "[e1, e2]", equal texts once.
  static ConfigurationError Aggregate(std::vector<Entry> entries);
};

}  // namespace stowage
