// The names under which plugins register resources of other kinds.
#pragma once

#include <string>
#include <string_view>

namespace stowage {

// The resource of a kind as "plural.version.group": "foos.v1.example.com" for Foo in
// example.com/v1; with an empty group "services.v1." for Service in v1. The plural is guessed from
// the kind: lower case with "s" or "es" appended, or "ies" in place of a final "y". Kinds that end
// in Endpoints or SecurityContextConstraints are plurals already.
// Counterpart: apimachinery/pkg/api/meta/restmapper.go (UnsafeGuessKindToResource), v1.36.
std::string ResourceTextOf(std::string_view api_version, std::string_view kind);

}  // namespace stowage
