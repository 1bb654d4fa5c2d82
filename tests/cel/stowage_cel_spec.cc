// stowage_cel_spec: evaluates one expression per line of its input, and prints one line of JSON for
// each.
//
// A line has fields between tabs, percent-encoded like a URL: options (`dynamic`, `escaped`,
// `unchecked`, with commas between them), the expression, and for each variable its name, its type
// in the letters of core/cel/type.h, and an expression for its value.
#include <bit>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/cel/device_environment.h"
#include "core/cel/program.h"
#include "core/cel/type.h"
#include "core/cel/value.h"

namespace stowage::cel {
namespace {

std::string Decoded(std::string_view field) {
  std::string text;
  for (size_t place = 0; place < field.size(); ++place) {
    if (field[place] != '%') {
      text += field[place];
      continue;
    }
    text += static_cast<char>(std::stoi(std::string(field.substr(place + 1, 2)), nullptr, 16));
    place += 2;
  }
  return text;
}

std::vector<std::string> FieldsOf(std::string_view line) {
  std::vector<std::string> fields;
  while (true) {
    size_t tab = line.find('\t');
    fields.push_back(Decoded(line.substr(0, tab)));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

std::string Hex(std::string_view bytes) {
  std::string text;
  for (char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

std::string Member(std::string_view name, const std::string& value) {
  return "{\"" + std::string(name) + "\":" + value + "}";
}
std::string Quoted(const std::string& text) { return '"' + text + '"'; }

// Exact: texts as hexadecimal digits of their bytes, doubles as those of their bits.
std::string Json(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return Member("null", "true");
    case Kind::kBool:
      return Member("bool", value.bool_value() ? "true" : "false");
    case Kind::kInt:
      return Member("int", Quoted(std::to_string(value.int_value())));
    case Kind::kUint:
      return Member("uint", Quoted(std::to_string(value.uint_value())));
    case Kind::kDouble:
      return Member("double",
                    Quoted(std::to_string(std::bit_cast<uint64_t>(value.double_value()))));
    case Kind::kString:
      return Member("string", Quoted(Hex(value.text())));
    case Kind::kBytes:
      return Member("bytes", Quoted(Hex(value.text())));
    case Kind::kType:
      return Member("type", Quoted(std::string(value.text())));
    case Kind::kTimestamp:
      return Member("timestamp",
                    Quoted(std::to_string(value.seconds()) + '.' + std::to_string(value.nanos())));
    case Kind::kDuration:
      return Member("duration", Quoted(std::to_string(value.int_value())));
    case Kind::kOptional:
      return Member("optional",
                    value.optional_value() == nullptr ? "null" : Json(*value.optional_value()));
    case Kind::kList: {
      std::string items;
      for (const Value& item : value.items()) items += (items.empty() ? "" : ",") + Json(item);
      return Member("list", '[' + items + ']');
    }
    case Kind::kMap: {
      std::string entries;
      for (const MapEntry& entry : value.entries()) {
        entries += (entries.empty() ? "[" : ",[") + Json(entry.key) + ',' + Json(entry.value) + ']';
      }
      return Member("map", '[' + entries + ']');
    }
    default:
      return Member(value.type_name(), "null");
  }
}

bool Has(std::string_view options, std::string_view option) {
  return options.find(option) != std::string_view::npos;
}

std::string Answer(const std::vector<std::string>& fields) {
  Arena arena;
  Environment environment = {DeviceFunctions(DeviceGates{true, true}), {}, {}, {}};
  environment.options.folds_constants = false;
  environment.options.checks_literals = false;
  environment.options.homogeneous_aggregates = !Has(fields[0], "dynamic");
  environment.options.escaped_identifiers = Has(fields[0], "escaped");
  environment.options.checks_types = !Has(fields[0], "unchecked");
  std::vector<std::unique_ptr<Program>> bindings;
  std::vector<Variable> variables;
  std::vector<Value> values;
  for (size_t place = 2; place + 2 < fields.size(); place += 3) {
    std::string_view letters = fields[place + 1];
    variables.push_back({fields[place], ParseType(arena, &letters)});
    Compilation binding = Compile(environment, fields[place + 2]);
    if (binding.program == nullptr) return Member("issues", Quoted(Hex(binding.issues)));
    values.push_back(Evaluate(*binding.program, {}, arena).result);
    bindings.push_back(std::move(binding.program));
  }
  environment.variables = variables;
  Compilation compilation = Compile(environment, fields[1]);
  if (compilation.program == nullptr) return Member("issues", Quoted(Hex(compilation.issues)));
  Evaluation evaluation = Evaluate(*compilation.program, values, arena);
  std::string type = Quoted(ToString(compilation.program->type()));
  if (evaluation.result.is_error()) {
    return "{\"error\":" + Quoted(Hex(evaluation.result.text())) + ",\"type\":" + type + '}';
  }
  return "{\"value\":" + Json(evaluation.result) + ",\"type\":" + type + '}';
}

}  // namespace
}  // namespace stowage::cel

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << stowage::cel::Answer(stowage::cel::FieldsOf(line)) << '\n';
  }
  return 0;
}
