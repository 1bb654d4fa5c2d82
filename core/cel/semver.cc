#include "core/cel/semver.h"

#include <algorithm>
#include <utility>

#include "core/base/format.h"
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

std::string RangeFault(std::string_view digits, uint64_t* number) {
  if (ParseUint(digits, number)) return {};
  return Format("strconv.ParseUint: parsing {}: {}", Quoted(digits),
                digits.empty() ? "invalid syntax" : "value out of range");
}

// Returns the message of the error, empty if the number is good. `name` is "major", `title`
// "Major".
std::string ParseNumber(std::string_view text, std::string_view name, std::string_view title,
                        uint64_t* number) {
  if (!HasOnlyDigits(text)) {
    return Format("Invalid character(s) found in {} number {}", name, Quoted(text));
  }
  if (HasLeadingZero(text)) {
    return Format("{} number must not contain leading zeroes {}", title, Quoted(text));
  }
  return RangeFault(text, number);
}

// The fault of one part of the prerelease or of the build metadata; empty if there is none.
std::string PartFault(std::string_view part, bool is_prerelease) {
  if (part.empty()) return is_prerelease ? "Prerelease is empty" : "Build meta data is empty";
  if (is_prerelease && HasOnlyDigits(part)) {
    uint64_t number = 0;
    if (!HasLeadingZero(part)) return RangeFault(part, &number);
    return "Numeric PreRelease version must not contain leading zeroes " + Quoted(part);
  }
  if (HasOnlyAlphanumerics(part)) return {};
  return Format("Invalid character(s) found in {} {}",
                is_prerelease ? "prerelease" : "build meta data", Quoted(part));
}

// Cuts off and returns what is before the first `mark`; false if the text has none, and then all of
// it is cut off.
bool TakeUntil(char mark, std::string_view* text, std::string_view* part) {
  size_t place = text->find(mark);
  *part = text->substr(0, place);
  bool is_found = place != std::string_view::npos;
  text->remove_prefix(is_found ? place + 1 : text->size());
  return is_found;
}

std::string PartsFault(std::string_view parts, bool is_prerelease) {
  for (bool has_next = true; has_next;) {
    std::string_view part;
    has_next = TakeUntil('.', &parts, &part);
    std::string fault = PartFault(part, is_prerelease);
    if (!fault.empty()) return fault;
  }
  return {};
}

// What is behind `mark`, which is cut off; false if the text has none.
bool CutBehind(std::string_view* text, char mark, std::string_view* behind) {
  size_t place = text->find(mark);
  if (place == std::string_view::npos) return false;
  *behind = text->substr(place + 1);
  *text = text->substr(0, place);
  return true;
}

template <typename T>
int SignOf(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

// Numbers precede other parts and are compared as numbers. They have no leading zeros.
int ComparePart(std::string_view a, std::string_view b) {
  bool are_numbers = HasOnlyDigits(a);
  if (are_numbers != HasOnlyDigits(b)) return are_numbers ? -1 : 1;
  if (are_numbers && a.size() != b.size()) return SignOf(a.size(), b.size());
  return SignOf(a, b);
}

}  // namespace

Result<Semver, SemverError> Semver::Parse(std::string_view text) {
  if (text.empty()) return SemverError{"Version string empty"};
  Semver version;
  std::string_view major;
  std::string_view minor;
  if (!TakeUntil('.', &text, &major) || !TakeUntil('.', &text, &minor)) {
    return SemverError{"No Major.Minor.Patch elements found"};
  }
  std::string fault = ParseNumber(major, "major", "Major", &version.major);
  if (fault.empty()) fault = ParseNumber(minor, "minor", "Minor", &version.minor);
  std::string_view build;
  bool has_build = CutBehind(&text, '+', &build);
  bool has_prerelease = CutBehind(&text, '-', &version.prerelease);
  if (fault.empty()) fault = ParseNumber(text, "patch", "Patch", &version.patch);
  if (fault.empty() && has_prerelease) fault = PartsFault(version.prerelease, true);
  if (fault.empty() && has_build) fault = PartsFault(build, false);
  if (!fault.empty()) return SemverError{std::move(fault)};
  return version;
}

int Semver::Compare(const Semver& other) const {
  int order = SignOf(major, other.major);
  if (order == 0) order = SignOf(minor, other.minor);
  if (order == 0) order = SignOf(patch, other.patch);
  if (order != 0) return order;
  std::string_view rest = prerelease;
  std::string_view other_rest = other.prerelease;
  // A version without a prerelease follows those that have one.
  if (rest.empty() || other_rest.empty()) return SignOf(rest.empty(), other_rest.empty());
  for (bool has_next = true; has_next && order == 0;) {
    std::string_view part;
    std::string_view other_part;
    has_next = TakeUntil('.', &rest, &part);
    bool has_other_next = TakeUntil('.', &other_rest, &other_part);
    order = ComparePart(part, other_part);
    if (order == 0) order = SignOf(has_next, has_other_next);
  }
  return order;
}

Result<std::string, SemverError> NormalizedSemver(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::string normalized;
  int num_parts = 0;
  for (bool has_next = true; has_next;) {
    std::string_view part = text;
    // Dots in the third part stay.
    has_next = ++num_parts < 3 && TakeUntil('.', &text, &part);
    if (!has_next && num_parts < 3 && part.find_first_of("+-") != std::string_view::npos) {
      return SemverError{"short version cannot contain PreRelease/Build meta data"};
    }
    // A single character stays as it is; otherwise leading zeros go, but one digit stays.
    bool is_long = part.size() > 1;
    if (is_long) part.remove_prefix(std::min(part.find_first_not_of('0'), part.size()));
    bool has_digit = !part.empty() && kDigits.find(part[0]) != std::string_view::npos;
    if (is_long && !has_digit) normalized += '0';
    normalized += part;
    if (has_next) normalized += '.';
  }
  for (; num_parts < 3; ++num_parts) normalized += ".0";
  return normalized;
}

}  // namespace stowage::cel
