// ConfigurationError holds why kube-scheduler would refuse to start with a configuration.
//
// `message` is exactly kube-scheduler's; `errors` lists the same findings one by one, each with its
// field (empty if it concerns the whole configuration) and its full text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stowage {

struct ConfigurationError {
  struct Entry {
    std::string field;   // "profiles[0].plugins.score.enabled[0].weight"
    std::string detail;  // includes the field, as in `message`

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

  // Combines findings like Kubernetes' aggregate: one alone stays as it is, several become "[e1,
  // e2]", and equal texts appear once.
  static ConfigurationError Aggregate(std::vector<Entry> entries);
};

}  // namespace stowage
