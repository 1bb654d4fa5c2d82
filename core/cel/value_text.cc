#include "core/cel/value_text.h"

#include "core/cel/double_text.h"

namespace stowage::cel {

std::string PlainText(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return value.bool_value() ? "true" : "false";
    case Kind::kInt:
      return std::to_string(value.int_value());
    case Kind::kUint:
      return std::to_string(value.uint_value());
    case Kind::kDouble:
      return DoubleText(value.double_value());
    case Kind::kString:
      return std::string(value.text());
    default:
      return std::string(value.type_name());
  }
}

}  // namespace stowage::cel
