// Compiles and evaluates an expression, and prints what comes of it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/cel/device_environment.h"
#include "core/cel/program.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {

// All functions of device selectors, without variables.
inline Environment EverythingEnvironment() {
  return {DeviceFunctions(DeviceGates{true, true}), {}, {}, {}};
}

// "3", "[1, 2]", "error: no such key: x" or "issues: ERROR: <input>:1:1: …".
inline std::string Evaluated(std::string_view expression,
                             const Environment& environment = EverythingEnvironment(),
                             std::span<const Value> variables = {}) {
  Compilation compilation = Compile(environment, expression);
  if (compilation.program == nullptr) return "issues: " + compilation.issues;
  Arena arena;
  return PrintValue(Evaluate(*compilation.program, variables, arena).result);
}

// The first issue without its place and lines: "undeclared reference to 'x' (in container '')".
inline std::string FirstIssue(std::string_view expression) {
  Environment environment = EverythingEnvironment();
  std::string issues = Compile(environment, expression).issues;
  std::string line = issues.substr(0, issues.find('\n'));
  size_t message = line.find(": ", line.find("<input>"));
  return message == std::string::npos ? line : line.substr(message + 2);
}

}  // namespace stowage::cel
