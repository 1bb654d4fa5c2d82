// The type conversions of the standard library.
#include <optional>
#include <string>

#include "core/cel/literals.h"
#include "core/cel/standard_functions.h"
#include "core/cel/time_text.h"
#include "core/cel/utf8.h"
#include "core/cel/value_text.h"

namespace stowage::cel {
namespace {

constexpr double kInt64End = 9223372036854775808.0;
constexpr double kUint64End = 18446744073709551616.0;

Value CannotConvert(const Call& call, std::string_view type) {
  return ValueBuilder::Error(
      call.arena, {"type conversion error from '", call[0].type_name(), "' to '", type, "'"});
}

}  // namespace

Value ToBool(const Call& call) {
  if (call[0].kind() == Kind::kBool) return call[0];
  std::string_view text = call[0].text();
  constexpr std::string_view kTrue[] = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::string_view kFalse[] = {"0", "f", "F", "false", "FALSE", "False"};
  for (std::string_view word : kTrue) {
    if (word == text) return Value::Bool(true);
  }
  for (std::string_view word : kFalse) {
    if (word == text) return Value::Bool(false);
  }
  return CannotConvert(call, "bool");
}

Value ToBytes(const Call& call) { return Value::Bytes(call[0].text()); }

Value ToDouble(const Call& call) {
  const Value& value = call[0];
  switch (value.kind()) {
    case Kind::kInt:
      return Value::Double(static_cast<double>(value.int_value()));
    case Kind::kUint:
      return Value::Double(static_cast<double>(value.uint_value()));
    case Kind::kString: {
      double number = 0;
      if (!ParseDouble(value.text(), &number)) return CannotConvert(call, "double");
      return Value::Double(number);
    }
    default:
      return value;
  }
}

Value ToDuration(const Call& call) {
  const Value& value = call[0];
  if (value.kind() == Kind::kInt) return Value::Duration(value.int_value());
  if (value.kind() == Kind::kDuration) return value;
  std::optional<int64_t> nanos = ParseDuration(value.text());
  return nanos ? Value::Duration(*nanos) : CannotConvert(call, "google.protobuf.Duration");
}

Value ToInt(const Call& call) {
  const Value& value = call[0];
  switch (value.kind()) {
    case Kind::kUint:
      if (value.int_value() < 0) return Value::Error("integer overflow");
      return Value::Int(value.int_value());
    case Kind::kDouble: {
      double number = value.double_value();
      if (!(number > -kInt64End && number < kInt64End)) return Value::Error("integer overflow");
      return Value::Int(static_cast<int64_t>(number));
    }
    case Kind::kString: {
      int64_t number = 0;
      if (!ParseInt(value.text(), &number)) return CannotConvert(call, "int");
      return Value::Int(number);
    }
    case Kind::kTimestamp:
      return Value::Int(value.seconds());
    default:
      return Value::Int(value.int_value());
  }
}

Value ToUint(const Call& call) {
  const Value& value = call[0];
  switch (value.kind()) {
    case Kind::kInt:
      if (value.int_value() < 0) return Value::Error("unsigned integer overflow");
      return Value::Uint(value.uint_value());
    case Kind::kDouble: {
      double number = value.double_value();
      if (!(number >= 0 && number < kUint64End)) return Value::Error("unsigned integer overflow");
      return Value::Uint(static_cast<uint64_t>(number));
    }
    case Kind::kString: {
      uint64_t number = 0;
      if (!ParseUint(value.text(), &number)) return CannotConvert(call, "uint");
      return Value::Uint(number);
    }
    default:
      return value;
  }
}

Value ToString(const Call& call) {
  const Value& value = call[0];
  switch (value.kind()) {
    case Kind::kString:
      return value;
    case Kind::kBytes:
      if (!IsUtf8(value.text())) {
        return Value::Error("invalid UTF-8 in bytes, cannot convert to string");
      }
      return Value::String(value.text());
    case Kind::kDuration:
      return ValueBuilder::String(call.arena, {DurationText(value.int_value())});
    case Kind::kTimestamp:
      return ValueBuilder::String(
          call.arena, {TimestampText({value.seconds(), static_cast<int32_t>(value.nanos())})});
    default:
      return ValueBuilder::String(call.arena, {PlainText(value)});
  }
}

Value ToTimestamp(const Call& call) {
  const Value& value = call[0];
  if (value.kind() == Kind::kTimestamp) return value;
  if (value.kind() == Kind::kInt) {
    bool is_in_range = IsInTimestampRange(value.int_value());
    return is_in_range ? Value::Timestamp(value.int_value(), 0)
                       : Value::Error("timestamp overflow");
  }
  Instant instant;
  switch (ParseTimestamp(value.text(), &instant)) {
    case TimestampFault::kNoTimestamp:
      return CannotConvert(call, "google.protobuf.Timestamp");
    case TimestampFault::kOutOfRange:
      return Value::Error("timestamp overflow");
    case TimestampFault::kNone:
      break;
  }
  return Value::Timestamp(instant.seconds, static_cast<uint32_t>(instant.nanos));
}

}  // namespace stowage::cel
