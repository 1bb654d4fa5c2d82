#include "core/api/validation_names.h"

#include <algorithm>

#include "core/base/format.h"

namespace stowage {
namespace {

constexpr size_t kNameLengthMax = 63;
constexpr size_t kSubdomainLengthMax = 253;

constexpr std::string_view kNameMessage =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation "
    "is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kLabelValueMessage =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kDns1123SubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', "
    "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return (c >= 'a' && c <= 'z') || IsDigit(c); }
bool IsAlphanumeric(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }

bool HasNameShape(std::string_view name) {
  if (name.empty() || !IsAlphanumeric(name.front()) || !IsAlphanumeric(name.back())) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool HasDnsLabelShape(std::string_view label) {
  if (label.empty() || !IsLower(label.front()) || !IsLower(label.back())) return false;
  return std::all_of(label.begin(), label.end(), [](char c) { return IsLower(c) || c == '-'; });
}

bool HasSubdomainShape(std::string_view value) {
  for (;;) {
    size_t dot = value.find('.');
    if (!HasDnsLabelShape(value.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    value.remove_prefix(dot + 1);
  }
}

std::string MaxLengthMessage(size_t length) {
  return Format("must be no more than {} bytes", length);
}

}  // namespace

bool IsQualifiedName(std::string_view name) {
  size_t slash = name.find('/');
  if (slash != std::string_view::npos) {
    if (!IsDns1123Subdomain(name.substr(0, slash))) return false;
    name.remove_prefix(slash + 1);
  }
  return name.size() <= kNameLengthMax && HasNameShape(name);
}

std::vector<std::string> QualifiedNameErrors(std::string_view name) {
  std::vector<std::string> errors;
  size_t slash = name.find('/');
  if (slash != name.rfind('/')) {
    return {
        Format("a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. "
               "'example.com/MyName')",
               kNameMessage)};
  }
  if (slash == 0) {
    errors.push_back("prefix part must be non-empty");
  } else if (slash != std::string_view::npos) {
    for (const std::string& error : Dns1123SubdomainErrors(name.substr(0, slash))) {
      errors.push_back("prefix part " + error);
    }
  }
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  if (name.empty()) errors.push_back("name part must be non-empty");
  if (name.size() > kNameLengthMax) {
    errors.push_back("name part " + MaxLengthMessage(kNameLengthMax));
  }
  if (!HasNameShape(name)) errors.push_back(Format("name part {}", kNameMessage));
  return errors;
}

bool IsValidLabelValue(std::string_view value) {
  return value.empty() || (value.size() <= kNameLengthMax && HasNameShape(value));
}

std::vector<std::string> LabelValueErrors(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > kNameLengthMax) errors.push_back(MaxLengthMessage(kNameLengthMax));
  if (!value.empty() && !HasNameShape(value)) errors.emplace_back(kLabelValueMessage);
  return errors;
}

bool IsDns1123Subdomain(std::string_view value) {
  return value.size() <= kSubdomainLengthMax && HasSubdomainShape(value);
}

std::vector<std::string> Dns1123SubdomainErrors(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > kSubdomainLengthMax) errors.push_back(MaxLengthMessage(kSubdomainLengthMax));
  if (!HasSubdomainShape(value)) errors.emplace_back(kDns1123SubdomainMessage);
  return errors;
}

bool IsDecimalInteger(std::string_view value) {
  if (value == "0") return true;
  if (!value.empty() && value.front() == '-') value.remove_prefix(1);
  if (value.empty() || value.front() == '0') return false;
  return std::all_of(value.begin(), value.end(), IsDigit);
}

}  // namespace stowage
