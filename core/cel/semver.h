// Semver is a semantic version 2.0.0, parsed as strictly as the reference does (blang/semver v4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace stowage::cel {

struct SemverError {
  std::string message;
};

// Equal versions may differ in their build metadata, which is not kept.
struct Semver {
  uint64_t major = 0;
  uint64_t minor = 0;
  uint64_t patch = 0;
  std::string_view prerelease;  // its parts with '.' between them; a view of the parsed text

  static Result<Semver, SemverError> Parse(std::string_view text);

  // Negative if this precedes `other`, 0 if equal, positive if it follows.
  int Compare(const Semver& other) const;
};

// The text that Kubernetes parses if it is asked to normalise: without a leading "v" and leading
// zeros, and with the minor and patch version that are missing.
Result<std::string, SemverError> NormalizedSemver(std::string_view text);

}  // namespace stowage::cel
