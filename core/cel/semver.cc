#include "core/cel/semver.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/split.h"
#include "core/cel/libraries.h"
#include "core/cel/literals.h"

namespace stowage::cel {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool HasOnlyDigits(std::string_view text) {
  return text.find_first_not_of(kDigits) == std::string_view::npos;
}

bool HasOnlyAlphanumerics(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

bool HasLeadingZero(std::string_view text) { return text.size() > 1 && text[0] == '0'; }

// Returns the message of the error, empty if the number is good. `name` is "major", `title`
// "Major".
std::string ParseNumber(std::string_view text, std::string_view name, std::string_view title,
                        uint64_t* number) {
  if (!HasOnlyDigits(text)) {
    return fmt::format("Invalid character(s) found in {} number {}", name, Quoted(text));
  }
  if (HasLeadingZero(text)) {
    return fmt::format("{} number must not contain leading zeroes {}", title, Quoted(text));
  }
  if (ParseUint(text, number)) return {};
  return fmt::format("strconv.ParseUint: parsing {}: {}", Quoted(text),
                     text.empty() ? "invalid syntax" : "value out of range");
}

std::string PrereleaseFault(std::string_view part) {
  if (part.empty()) return "Prerelease is empty";
  if (HasOnlyDigits(part) && HasLeadingZero(part)) {
    return "Numeric PreRelease version must not contain leading zeroes " + Quoted(part);
  }
  if (HasOnlyAlphanumerics(part)) return {};
  return "Invalid character(s) found in prerelease " + Quoted(part);
}

std::string BuildFault(std::string_view part) {
  if (part.empty()) return "Build meta data is empty";
  if (HasOnlyAlphanumerics(part)) return {};
  return "Invalid character(s) found in build meta data " + Quoted(part);
}

// Up to three parts; dots in the third one stay.
std::vector<std::string_view> NumberParts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t dot; parts.size() < 2 && (dot = text.find('.')) != std::string_view::npos;) {
    parts.push_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  parts.push_back(text);
  return parts;
}

// Cuts off what is behind `mark`; false if the text has none.
bool CutBehind(std::string_view* text, char mark, std::string_view* behind) {
  size_t place = text->find(mark);
  if (place == std::string_view::npos) return false;
  *behind = text->substr(place + 1);
  *text = text->substr(0, place);
  return true;
}

int Sign(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

// Numbers precede other parts and are compared as numbers. They have no leading zeros.
int ComparePrerelease(std::string_view a, std::string_view b) {
  bool are_numbers = HasOnlyDigits(a);
  if (are_numbers != HasOnlyDigits(b)) return are_numbers ? -1 : 1;
  if (are_numbers && a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return Sign(a <=> b);
}

}  // namespace

Result<Semver, SemverError> Semver::Parse(std::string_view text) {
  if (text.empty()) return SemverError{"Version string empty"};
  std::vector<std::string_view> parts = NumberParts(text);
  if (parts.size() != 3) return SemverError{"No Major.Minor.Patch elements found"};
  Semver version;
  std::string fault = ParseNumber(parts[0], "major", "Major", &version.major);
  if (fault.empty()) fault = ParseNumber(parts[1], "minor", "Minor", &version.minor);
  if (!fault.empty()) return SemverError{fault};
  std::string_view patch = parts[2];
  std::string_view build;
  bool has_build = CutBehind(&patch, '+', &build);
  bool has_prerelease = CutBehind(&patch, '-', &version.prerelease);
  fault = ParseNumber(patch, "patch", "Patch", &version.patch);
  if (has_prerelease) {
    for (std::string_view part : Split(version.prerelease, ".")) {
      if (fault.empty()) fault = PrereleaseFault(part);
    }
  }
  if (has_build) {
    for (std::string_view part : Split(build, ".")) {
      if (fault.empty()) fault = BuildFault(part);
    }
  }
  if (!fault.empty()) return SemverError{fault};
  return version;
}

int Semver::Compare(const Semver& other) const {
  int order = Sign(major <=> other.major);
  if (order == 0) order = Sign(minor <=> other.minor);
  if (order == 0) order = Sign(patch <=> other.patch);
  if (order != 0) return order;
  if (prerelease.empty() || other.prerelease.empty()) {
    return static_cast<int>(prerelease.empty()) - static_cast<int>(other.prerelease.empty());
  }
  std::vector<std::string_view> parts = Split(prerelease, ".");
  std::vector<std::string_view> other_parts = Split(other.prerelease, ".");
  size_t count = std::min(parts.size(), other_parts.size());
  for (size_t place = 0; place < count && order == 0; ++place) {
    order = ComparePrerelease(parts[place], other_parts[place]);
  }
  return order != 0 ? order : Sign(parts.size() <=> other_parts.size());
}

Result<std::string, SemverError> NormalizedSemver(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::string normalized;
  std::vector<std::string_view> parts = NumberParts(text);
  bool is_short = parts.size() < 3;
  if (is_short && parts.back().find_first_of("+-") != std::string_view::npos) {
    return SemverError{"short version cannot contain PreRelease/Build meta data"};
  }
  for (std::string_view part : parts) {
    if (part.data() != parts[0].data()) normalized += '.';
    size_t first = part.size() > 1 ? std::min(part.find_first_not_of('0'), part.size()) : 0;
    part.remove_prefix(first);
    bool has_digit = !part.empty() && kDigits.find(part[0]) != std::string_view::npos;
    // A single character stays as it is.
    bool was_long = first > 0 || part.size() > 1;
    if (was_long && !has_digit) normalized += '0';
    normalized += part;
  }
  for (size_t count = parts.size(); count < 3; ++count) normalized += ".0";
  return normalized;
}

}  // namespace stowage::cel
