#include "core/cel/environment.h"

namespace stowage::cel {
namespace {

constexpr struct {
  std::string_view name;
  std::string_view letters;
} kTypeNames[] = {
    {"bool", "b"},
    {"int", "i"},
    {"uint", "u"},
    {"double", "d"},
    {"string", "s"},
    {"bytes", "y"},
    {"null_type", "n"},
    {"list", "l*"},
    {"map", "m**"},
    {"type", "K"},
    {"optional_type", "o*"},
    {"google.protobuf.Timestamp", "t"},
    {"google.protobuf.Duration", "r"},
    {"net.IP", "I"},
    {"net.CIDR", "N"},
};

}  // namespace

const Function* Environment::Next(std::string_view name, const Function* previous) const {
  bool is_behind = previous == nullptr;
  for (FunctionTable table : tables) {
    for (const Function& function : table) {
      if (is_behind && function.name == name) return &function;
      is_behind = is_behind || &function == previous;
    }
  }
  return nullptr;
}

int Environment::FindVariable(std::string_view name) const {
  for (size_t place = 0; place < variables.size(); ++place) {
    if (variables[place].name == name) return static_cast<int>(place);
  }
  return -1;
}

const Type* Environment::FieldType(std::string_view message, std::string_view field) const {
  for (const Field& row : fields) {
    if (row.message == message && row.name == field) return row.type;
  }
  return nullptr;
}

std::string_view TypeNamed(std::string_view name) {
  for (const auto& row : kTypeNames) {
    if (row.name == name) return row.letters;
  }
  return {};
}

size_t NumArguments(std::string_view signature) {
  constexpr std::string_view kPrefixes = "lok";
  size_t count = 0;
  size_t missing = 0;  // types that the letters before still need
  for (char letter : signature.substr(0, signature.find(':'))) {
    if (letter == '.') continue;
    if (missing > 0) {
      --missing;
    } else {
      ++count;
    }
    missing += letter == 'm' ? 2 : kPrefixes.find(letter) != std::string_view::npos ? 1 : 0;
  }
  return count;
}

}  // namespace stowage::cel
