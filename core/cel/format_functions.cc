#include <vector>

#include "core/cel/libraries.h"
#include "core/cel/named_format.h"

namespace stowage::cel {

const OpaqueKind kFormatKind = {"kubernetes.NamedFormat",
                                [](const void* a, const void* b) { return a == b; }};

namespace {

template <size_t kPlace>
Value NamedFormatAt(const Call& call) {
  return ValueBuilder::OfOpaque(call.arena, kFormatKind, &NamedFormats()[kPlace]);
}

Value Named(const Call& call) {
  for (const NamedFormat& format : NamedFormats()) {
    if (format.name != call[0].text()) continue;
    return ValueBuilder::Optional(call.arena,
                                  ValueBuilder::OfOpaque(call.arena, kFormatKind, &format));
  }
  return Value::OptionalNone();
}

Value Validate(const Call& call) {
  const NamedFormat& format = *call[0].As<NamedFormat>(kFormatKind);
  std::vector<Value> messages;
  for (const std::string& message : format.validate(call[1].text())) {
    messages.push_back(ValueBuilder::String(call.arena, {message}));
  }
  if (messages.empty()) return Value::OptionalNone();
  return ValueBuilder::Optional(call.arena, ValueBuilder::List(call.arena, messages));
}

uint64_t CostOfValidate(const Call& call, const Value&) {
  constexpr uint64_t kRegexDivisor = 4;
  uint64_t pattern = call[0].As<NamedFormat>(kFormatKind)->pattern_size;
  return TraversalCost(call[1].size() + 1) * ((pattern + kRegexDivisor - 1) / kRegexDivisor);
}

constexpr Function kFormatFunctions[] = {
    {"format.dns1123Label", ":F", NamedFormatAt<0>},
    {"format.dns1123Subdomain", ":F", NamedFormatAt<1>},
    {"format.dns1035Label", ":F", NamedFormatAt<2>},
    {"format.qualifiedName", ":F", NamedFormatAt<3>},
    {"format.dns1123LabelPrefix", ":F", NamedFormatAt<4>},
    {"format.dns1123SubdomainPrefix", ":F", NamedFormatAt<5>},
    {"format.dns1035LabelPrefix", ":F", NamedFormatAt<6>},
    {"format.labelValue", ":F", NamedFormatAt<7>},
    {"format.uri", ":F", NamedFormatAt<8>},
    {"format.uuid", ":F", NamedFormatAt<9>},
    {"format.byte", ":F", NamedFormatAt<10>},
    {"format.date", ":F", NamedFormatAt<11>},
    {"format.datetime", ":F", NamedFormatAt<12>},
    {"format.named", "s:oF", Named},
    {"validate", "F.s:ols", Validate, CostOfValidate},
};

}  // namespace

FunctionTable FormatFunctions() { return kFormatFunctions; }

}  // namespace stowage::cel
