// The names by which plugins register resources beyond the known kinds.
#pragma once

#include <string>
#include <string_view>

namespace stowage {

// The resource of a kind as "plural.version.group": "foos.v1.example.com" of Foo in
// example.com/v1, and with the empty group "services.v1." of Service in v1. The plural is a guess
// from the kind: lower case, "s" or "es" behind it, "ies" for a "y" at its end; kinds that end in
// Endpoints or SecurityContextConstraints are plurals already.
// Counterpart: apimachinery/pkg/api/meta/restmapper.go (UnsafeGuessKindToResource), v1.36.
std::string ResourceTextOf(std::string_view api_version, std::string_view kind);

}  // namespace stowage
