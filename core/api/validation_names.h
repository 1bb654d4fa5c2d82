// The name rules of Kubernetes, with the reference's error texts.
//
// Each rule has two forms: `Is…` answers without allocating, `…Errors` gives the reference's
// messages, none when the name is valid. Counterpart: apimachinery/pkg/api/validate/content and
// pkg/util/validation, v1.36.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stowage {

// A label key, which is also called a qualified name: an optional DNS-1123 subdomain and '/', then
// up to 63 of [A-Za-z0-9] with "-_." inside.
bool IsQualifiedName(std::string_view name);
std::vector<std::string> QualifiedNameErrors(std::string_view name);

// Empty, or up to 63 of [A-Za-z0-9] with "-_." inside.
bool IsValidLabelValue(std::string_view value);
std::vector<std::string> LabelValueErrors(std::string_view value);

// Of [a-z0-9] with '-' inside, parts of any length joined by '.', up to 253 in all.
bool IsDns1123Subdomain(std::string_view value);
std::vector<std::string> Dns1123SubdomainErrors(std::string_view value);

// As the reference's IsDecimalInteger: "0", or digits without a leading zero after an optional '-'.
bool IsDecimalInteger(std::string_view value);

}  // namespace stowage
