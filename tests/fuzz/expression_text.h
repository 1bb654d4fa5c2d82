// Expressions of CEL from a few bytes: each byte chooses one form. Most of them compile, so that
// the evaluator and the libraries have work to do.
#pragma once

#include <string>

#include "tests/fuzz/input_bytes.h"

namespace stowage {

class ExpressionText {
 public:
  explicit ExpressionText(InputBytes* bytes) : bytes_(*bytes) {}

  std::string Whole(int depth) {
    return "cel.bind(x, [1, 2], cel.bind(y, 'a', " + Dyn(depth) + " == 1))";
  }

 private:
  std::string Next(int depth) {
    if (depth == 0 || bytes_.empty()) return Leaf();
    switch (bytes_.Below(12)) {
      case 0:
        return '(' + Dyn(depth) + Operator() + Dyn(depth) + ')';
      case 1:
        return '(' + Dyn(depth) + " ? " + Dyn(depth) + " : " + Dyn(depth) + ')';
      case 2:
        return '[' + Dyn(depth) + ", " + Dyn(depth) + ']';
      case 3:
        return "{" + Dyn(depth) + ": " + Dyn(depth) + '}';
      case 4:
      case 5:
        return Dyn(depth) + '.' + Member(depth - 1);
      case 6:
        return Dyn(depth) + Qualifier(depth - 1);
      case 7:
        return Dyn(depth) + Macro(depth - 1);
      case 8:
        return "cel.bind(x, " + Dyn(depth) + ", " + Next(depth - 1) + ')';
      case 9:
        return Function() + '(' + Dyn(depth) + ')';
      case 10:
        return "dyn(device." + std::string(bytes_.Pick({"attributes", "capacity", "driver"})) +
               ')' + Qualifier(depth - 1);
      default:
        return Next(depth - 1);
    }
  }
  std::string Dyn(int depth) { return "dyn(" + Next(depth - 1) + ')'; }
  std::string Function() {
    return bytes_.Pick({"string", "int", "double", "type", "size", "quantity", "semver", "ip",
                        "duration", "timestamp", "url", "optional.of", "lists.range",
                        "optional.ofNonZeroValue", "strings.quote", "!", "-"});
  }
  std::string Leaf() {
    return bytes_.Pick({"1",
                        "true",
                        "'a'",
                        "x",
                        "0",
                        "-7",
                        "2u",
                        "1.5",
                        "null",
                        "[]",
                        "{}",
                        "b'\\xff'",
                        "'10Gi'",
                        "'1.2.3'",
                        "'a,b,c'",
                        "'^a+$'",
                        "'%s%d'",
                        "9223372036854775807",
                        "device.driver",
                        "1e300",
                        "'5s'",
                        "'1970-01-01T00:00:00Z'",
                        "'é€'",
                        "[1, 2, 3]"});
  }
  std::string Operator() {
    return bytes_.Pick({" + ", " - ", " * ", " / ", " % ", " == ", " != ", " < ", " <= ", " > ",
                        " >= ", " && ", " || ", " in "});
  }
  std::string Qualifier(int depth) {
    const char* opening = bytes_.Pick({"[", "[?", ".a", ".?b"});
    return opening[0] == '[' ? opening + Next(depth) + ']' : std::string(opening);
  }
  std::string Member(int depth) {
    std::string none = bytes_.Pick({"size", "lowerAscii", "trim", "flatten", "distinct", "reverse",
                                    "sort", "sum", "min", "max", "isSorted", "asInteger", "value",
                                    "hasValue", "getHours", "join", "family", "masked"});
    std::string one = bytes_.Pick({"contains", "startsWith", "matches", "split", "join", "format",
                                   "substring", "charAt", "indexOf", "find", "findAll", "add",
                                   "sub", "compareTo", "orValue", "or", "includes", "containsIP"});
    if (bytes_.Below(2) == 0) return none + "()";
    if (bytes_.Below(8) != 0) return one + '(' + Dyn(depth) + ')';
    std::string two = bytes_.Pick({"replace", "substring", "indexOf", "slice", "findAll"});
    return two + '(' + Dyn(depth) + ", " + Dyn(depth) + ')';
  }
  std::string Macro(int depth) {
    if (bytes_.Below(3) == 0) {
      std::string name = bytes_.Pick({"all", "exists", "transformList", "transformMap"});
      return '.' + name + "(x, y, " + Dyn(depth) + ')';
    }
    std::string name = bytes_.Pick(
        {"all", "exists", "exists_one", "map", "filter", "sortBy", "optMap", "optFlatMap"});
    return '.' + name + "(x, " + Dyn(depth) + ')';
  }

  InputBytes& bytes_;
};

}  // namespace stowage
