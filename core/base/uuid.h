// Universally unique identifiers that depend on their inputs only, so that equal inputs of the
// engine give equal bytes.
#pragma once

#include <string>
#include <string_view>

namespace stowage {

// A UUID in the form of a random one (version 4) that is made from `seed`: equal seeds give equal
// UUIDs. "2cf24dba-5fb0-430e-a6e8-3b2ac5b9e29e" for "hello".
std::string UuidOf(std::string_view seed);

}  // namespace stowage
