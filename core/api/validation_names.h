// Kubernetes' rules for names, with the reference's error messages.
//
// Each rule has two forms: `Is…` returns whether the name is valid, without allocating; `…Errors`
// returns the reference's messages, none if the name is valid. Counterpart:
// apimachinery/pkg/api/validate/content and pkg/util/validation, v1.36.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stowage {

// A label key, also called a qualified name: an optional DNS-1123 subdomain and '/', then up to 63
// of [A-Za-z0-9] with "-_." inside.
bool IsQualifiedName(std::string_view name);
std::vector<std::string> QualifiedNameErrors(std::string_view name);

// Empty, or up to 63 of [A-Za-z0-9] with "-_." inside.
bool IsValidLabelValue(std::string_view value);
std::vector<std::string> LabelValueErrors(std::string_view value);

// [a-z0-9] with '-' inside, in parts of any length joined by '.', up to 253 in total.
bool IsDns1123Subdomain(std::string_view value);
std::vector<std::string> Dns1123SubdomainErrors(std::string_view value);

// Like the reference's IsDecimalInteger: "0", or an optional '-' and digits without a leading zero.
bool IsDecimalInteger(std::string_view value);

}  // namespace stowage
