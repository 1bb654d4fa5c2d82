// Environment is what an expression may use: functions, variables and the fields of their messages,
// and the settings of the language. It is constant, and outlives the programs compiled in it.
#pragma once

#include <span>
#include <string_view>

#include "core/cel/functions.h"
#include "core/cel/type.h"

namespace stowage::cel {

struct Variable {
  std::string_view name;  // may have dots
  const Type* type;
};

struct Field {
  std::string_view message;
  std::string_view name;
  const Type* type;
};

// The settings of kube-scheduler's expressions are the defaults.
struct LanguageOptions {
  bool homogeneous_aggregates = true;  // lists and maps of literals have one type
  bool escaped_identifiers = false;    // a.`b-c`
  // Constant lists, maps and conversions are computed once, and cost nothing when they are used.
  bool folds_constants = true;
  // Without it every expression has type dyn, and functions are chosen by values alone. Only CEL's
  // conformance tests need that.
  bool checks_types = true;
  // The literals that duration(), timestamp() and matches() get are checked.
  bool checks_literals = true;
};

struct Environment {
  std::span<const FunctionTable> tables;
  std::span<const Variable> variables;
  std::span<const Field> fields;
  LanguageOptions options;

  // The first row of a function, for a call with or without a receiver; null if there is none.
  // Callers look at the rows behind it with `Next`.
  const Function* FirstOverload(std::string_view name) const { return Next(name, nullptr); }
  const Function* Next(std::string_view name, const Function* previous) const;
  int FindVariable(std::string_view name) const;  // -1: none
  const Type* FieldType(std::string_view message, std::string_view field) const;
};

// The type that an identifier names ("int", "google.protobuf.Timestamp"): as a letter of type.h,
// with the letters of its parameters; empty if it names none.
std::string_view TypeNamed(std::string_view name);

// The number of arguments of a signature, with the receiver.
size_t NumArguments(std::string_view signature);
inline bool IsMember(const Function& function) {
  return function.signature.find('.') != std::string_view::npos;
}

}  // namespace stowage::cel
