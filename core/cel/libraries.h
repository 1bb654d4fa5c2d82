// The function libraries beside the standard one. Each function returns the table of one library.
//
// Messages are those of cel-go's `ext` package and of Kubernetes' `apiserver/pkg/cel/library`;
// costs are those of spec plugins/dynamic-resources-cel.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/cel/functions.h"

namespace stowage::cel {

FunctionTable StringFunctions();          // strings, version 2
FunctionTable SetFunctions();             // sets
FunctionTable ListFunctions();            // ext lists, version 3; first and last of optionals
FunctionTable KubernetesListFunctions();  // isSorted, sum, min, max, indexOf, lastIndexOf
FunctionTable RegexFunctions();           // find, findAll
FunctionTable UrlFunctions();
FunctionTable QuantityFunctions();
FunctionTable SemverFunctions();
FunctionTable IpFunctions();  // IP addresses and CIDR
FunctionTable FormatFunctions();
FunctionTable AuthorizerFunctions();  // compile only
FunctionTable IncludesFunctions();    // of devices' attributes, with DRAListTypeAttributes

extern const OpaqueKind kQuantityKind;  // Quantity
extern const OpaqueKind kSemverKind;    // Semver
extern const OpaqueKind kIpKind;        // IpAddress
extern const OpaqueKind kCidrKind;      // IpPrefix
extern const OpaqueKind kUrlKind;       // Url
extern const OpaqueKind kFormatKind;    // NamedFormat

// Costs that several libraries use.
uint64_t CostOfFirstTwice(const Call& call, const Value& result);  // reads argument 0, writes it
uint64_t CostOfTraversal(const Call& call, const Value& result);   // everything in argument 0
uint64_t CostOfRegex(const Call& call, const Value& result);       // argument 1 is matched with 0
// A new list of the result's size.
uint64_t CostOfList(const Call& call, const Value& result);

// Work that arguments' weights do not cover. Each adds it to the evaluation's, and returns false if
// it is too much for one call; the call is then the error kCostExceeded.
bool SpendPairs(const Call& call, const Value& a, const Value& b);  // elements with elements
bool SpendSearch(const Call& call);                                 // argument 1 in argument 0

// `text` within double quotes, as Go's %q writes it.
std::string Quoted(std::string_view text);

}  // namespace stowage::cel
