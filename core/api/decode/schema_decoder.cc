#include "core/api/decode/schema_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "core/api/encode/utf8.h"
#include "core/api/field_error.h"
#include "core/base/check.h"
#include "core/base/split.h"

namespace stowage {
namespace {

constexpr TypeInfo kSymbolValue{TypeKind::kSymbol};
constexpr TypeInfo kQuantityValue{TypeKind::kQuantity};

std::string_view ExpectedName(TypeKind kind) {
  switch (kind) {
    case TypeKind::kSymbol:
    case TypeKind::kString:
    case TypeKind::kInstant:
    case TypeKind::kDuration:
      return "a string";
    case TypeKind::kBool:
      return "a boolean";
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return "an integer";
    case TypeKind::kDouble:
      return "a number";
    case TypeKind::kQuantity:
      return "a quantity";
    case TypeKind::kPresence:
    case TypeKind::kRawMember:
    case TypeKind::kKeys:
    case TypeKind::kLabelMap:
    case TypeKind::kResourceList:
    case TypeKind::kMap:
    case TypeKind::kObject:
      return "an object";
    case TypeKind::kList:
      return "a list";
    case TypeKind::kRawJson:
    case TypeKind::kOptional:
      break;
  }
  CHECK(false);
}

bool IsContainer(const TypeInfo& type, bool is_object) {
  if (!is_object) return type.kind == TypeKind::kList;
  return type.kind >= TypeKind::kPresence && type.kind <= TypeKind::kObject;
}

std::string Quoted(std::string_view text) {
  return GoQuote(ToValidUtf8(text, InputError::kValueBytesMax));
}

}  // namespace

SchemaDecoder::Slot SchemaDecoder::Inside(Slot slot) {
  while (slot.type != nullptr && slot.type->kind == TypeKind::kOptional) {
    slot = {slot.type->inner, slot.type->grow(slot.target)};
  }
  return slot;
}

SchemaDecoder::Slot SchemaDecoder::NextSlot() {
  if (frame_count_ == 0) return root_;
  Frame& frame = top();
  switch (frame.type->kind) {
    case TypeKind::kObject:
      if (frame.field == nullptr) return {};
      return {frame.field->type, frame.field->member(frame.target)};
    case TypeKind::kList:
      ++frame.count;
      return {frame.type->inner, frame.type->grow(frame.target)};
    case TypeKind::kMap:
      return {frame.type->inner, frame.type->insert(frame.target, frame.key.view())};
    case TypeKind::kResourceList:
      return {&kQuantityValue, &quantities_.emplace_back(frame.key, Quantity()).second};
    case TypeKind::kLabelMap:
      return {&kSymbolValue, nullptr};
    default:
      return {};
  }
}

bool SchemaDecoder::Null() {
  if (skip_depth_ > 0) return true;
  if (raw_depth_ > 0) {
    raw_->Null();
    return true;
  }
  if (frame_count_ > 0 && top().type->kind == TypeKind::kLabelMap) {
    AddLabel(Symbol());
    return true;
  }
  Slot slot = NextSlot();
  if (slot.type != nullptr && slot.type->clear != nullptr) slot.type->clear(slot.target);
  return true;
}

bool SchemaDecoder::Bool(bool value) {
  if (skip_depth_ > 0) return true;
  if (raw_depth_ > 0) {
    raw_->Bool(value);
    return true;
  }
  Slot slot = Inside(NextSlot());
  if (slot.type == nullptr) return true;
  std::string_view text = value ? "true" : "false";
  if (slot.type->kind == TypeKind::kBool) {
    *static_cast<bool*>(slot.target) = value;
  } else if (slot.type->kind == TypeKind::kRawJson) {
    static_cast<RawJson*>(slot.target)->text = text;
  } else {
    AddTypeError(*slot.type, "a boolean", text, text);
  }
  return true;
}

bool SchemaDecoder::Number(std::string_view text) {
  if (skip_depth_ > 0) return true;
  if (raw_depth_ > 0) {
    raw_->Raw(text);
    return true;
  }
  Slot slot = Inside(NextSlot());
  if (slot.type != nullptr) PutNumber(slot, text);
  return true;
}

bool SchemaDecoder::String(std::string_view text) {
  if (skip_depth_ > 0) return true;
  if (raw_depth_ > 0) {
    raw_->String(text);
    return true;
  }
  if (frame_count_ > 0 && top().type->kind == TypeKind::kLabelMap) {
    AddLabel(Symbol(text));
    return true;
  }
  Slot slot = Inside(NextSlot());
  if (slot.type != nullptr) PutString(slot, text);
  return true;
}

void SchemaDecoder::PutNumber(const Slot& slot, std::string_view text) {
  switch (slot.type->kind) {
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return PutInteger(slot, text);
    case TypeKind::kQuantity:
      return PutQuantity(slot, text, text);
    case TypeKind::kDouble:
      *static_cast<double*>(slot.target) = std::strtod(std::string(text).c_str(), nullptr);
      return;
    case TypeKind::kRawJson:
      static_cast<RawJson*>(slot.target)->text = text;
      return;
    default:
      AddTypeError(*slot.type, "a number", text, text);
  }
}

void SchemaDecoder::PutInteger(const Slot& slot, std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool is_narrow = slot.type->kind == TypeKind::kInt32;
  if (error == std::errc() && end != text.data() + text.size()) {
    AddFieldError(InputErrorCode::kFieldValueInvalid, text, text,
                  "must be an integer without fraction or exponent");
  } else if (error != std::errc() || (is_narrow && value != static_cast<int32_t>(value))) {
    AddFieldError(InputErrorCode::kFieldValueInvalid, text, text,
                  is_narrow ? "must be a 32-bit integer" : "must be a 64-bit integer");
  } else if (is_narrow) {
    *static_cast<int32_t*>(slot.target) = static_cast<int32_t>(value);
  } else {
    *static_cast<int64_t*>(slot.target) = value;
  }
}

void SchemaDecoder::PutQuantity(const Slot& slot, std::string_view text, std::string_view written) {
  Result<Quantity, QuantityError> quantity = Quantity::Parse(text);
  if (quantity.ok()) {
    *static_cast<Quantity*>(slot.target) = quantity.Take();
  } else {
    AddFieldError(InputErrorCode::kFieldValueInvalid, text, written, quantity.fault().message);
  }
}

void SchemaDecoder::PutString(const Slot& slot, std::string_view text) {
  switch (slot.type->kind) {
    case TypeKind::kSymbol:
      *static_cast<Symbol*>(slot.target) = Symbol(text);
      return;
    case TypeKind::kString:
      *static_cast<std::string*>(slot.target) = text;
      return;
    case TypeKind::kQuantity: {
      // The quoted form is only needed for a refusal, so it is not made here.
      Result<Quantity, QuantityError> quantity = Quantity::Parse(TrimSpace(text));
      if (!quantity.ok()) return PutQuantity(slot, TrimSpace(text), Quoted(text));
      *static_cast<Quantity*>(slot.target) = quantity.Take();
      return;
    }
    case TypeKind::kInstant:
      if (std::optional<Instant> instant = Instant::Parse(text)) {
        *static_cast<Instant*>(slot.target) = *instant;
      } else {
        AddFieldError(InputErrorCode::kFieldValueInvalid, text, Quoted(text),
                      "must be a time as in RFC 3339");
      }
      return;
    case TypeKind::kDuration:
      if (std::optional<Duration> duration = Duration::Parse(text)) {
        *static_cast<Duration*>(slot.target) = *duration;
      } else {
        AddFieldError(InputErrorCode::kFieldValueInvalid, text, Quoted(text),
                      "must be a duration such as 10s or 1m30s");
      }
      return;
    case TypeKind::kRawJson: {
      std::string& raw = static_cast<RawJson*>(slot.target)->text;
      raw.clear();
      AppendJsonString(text, &raw);
      return;
    }
    default:
      AddTypeError(*slot.type, "a string", text, Quoted(text));
  }
}

bool SchemaDecoder::Key(std::string_view text) {
  if (skip_depth_ > 0) return true;
  if (raw_depth_ > 0) {
    raw_->Key(text);
    return true;
  }
  Frame& frame = top();
  if (frame.type->kind != TypeKind::kObject) return MapKey(text);
  frame.field =
      options_.is_case_insensitive ? frame.type->FindInAnyCase(text) : frame.type->Find(text);
  if (!options_.strict) return true;
  if (frame.field == nullptr) {
    AddStrictError("unknown", text);
    return true;
  }
  uint64_t bit = uint64_t{1} << (frame.field - frame.type->fields);
  if ((frame.seen & bit) != 0) AddStrictError("duplicate", text);
  frame.seen |= bit;
  return true;
}

bool SchemaDecoder::MapKey(std::string_view text) {
  Frame& frame = top();
  frame.key = Symbol(text);
  if (frame.type->kind == TypeKind::kKeys) {
    static_cast<std::vector<Symbol>*>(frame.target)->push_back(frame.key);
  } else if (options_.strict && HasKey(frame, text)) {
    AddStrictError("duplicate", text);
  }
  return true;
}

bool SchemaDecoder::HasKey(const Frame& frame, std::string_view text) const {
  auto has_key = [&frame](const auto& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [&frame](const auto& entry) { return entry.first == frame.key; });
  };
  if (frame.type->kind == TypeKind::kLabelMap) return has_key(labels_);
  if (frame.type->kind == TypeKind::kResourceList) return has_key(quantities_);
  return frame.type->contains(frame.target, text);
}

bool SchemaDecoder::Open(bool is_object) {
  if (++depth_ > options_.depth_max) {
    is_too_deep_ = true;
    return false;
  }
  if (skip_depth_ > 0) {
    ++skip_depth_;
  } else if (raw_depth_ > 0) {
    ++raw_depth_;
    is_object ? raw_->BeginObject() : raw_->BeginArray();
  } else {
    EnterContainer(Inside(NextSlot()), is_object);
  }
  return true;
}

void SchemaDecoder::EnterContainer(Slot slot, bool is_object) {
  if (slot.type == nullptr) {
    skip_depth_ = 1;
  } else if (slot.type->kind == TypeKind::kRawJson) {
    BeginRaw(&static_cast<RawJson*>(slot.target)->text, is_object);
  } else if (!IsContainer(*slot.type, is_object)) {
    AddTypeError(*slot.type, is_object ? "an object" : "a list", {}, {});
    skip_depth_ = 1;
  } else if (slot.type->kind == TypeKind::kPresence) {
    *static_cast<bool*>(slot.target) = true;
    skip_depth_ = 1;
  } else if (slot.type->kind == TypeKind::kRawMember) {
    raw_member_ = static_cast<RawMember*>(slot.target);
    raw_member_->name = Symbol(top().field->key);
    BeginRaw(&raw_member_json_, is_object);
  } else {
    PushFrame(slot);
  }
}

void SchemaDecoder::BeginRaw(std::string* text, bool is_object) {
  text->clear();
  raw_.emplace(text);
  raw_depth_ = 1;
  is_object ? raw_->BeginObject() : raw_->BeginArray();
}

void SchemaDecoder::PushFrame(Slot slot) {
  CHECK(frame_count_ < kFramesMax);
  ++frame_count_;
  top() = Frame{slot.type, slot.target, nullptr, 0, 0, Symbol()};
  if (slot.type->kind == TypeKind::kList || slot.type->kind == TypeKind::kKeys) {
    slot.type->clear(slot.target);
  }
}

bool SchemaDecoder::Close(bool is_object) {
  --depth_;
  if (skip_depth_ > 0) {
    --skip_depth_;
    return true;
  }
  if (raw_depth_ > 0) {
    --raw_depth_;
    is_object ? raw_->EndObject() : raw_->EndArray();
    if (raw_depth_ == 0 && raw_member_ != nullptr) {
      std::exchange(raw_member_, nullptr)->json = Symbol(raw_member_json_);
    }
    return true;
  }
  if (top().type->kind == TypeKind::kKeys) {
    auto& keys = *static_cast<std::vector<Symbol>*>(top().target);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  } else if (top().type->kind == TypeKind::kLabelMap) {
    static_cast<LabelMap*>(top().target)->SetAll(&labels_);
  } else if (top().type->kind == TypeKind::kResourceList) {
    static_cast<ResourceList*>(top().target)->SetAll(&quantities_);
  }
  --frame_count_;
  return true;
}

std::string SchemaDecoder::FieldPath() const {
  std::string path;
  for (size_t index = 0; index < frame_count_; ++index) {
    const Frame& frame = frames_[index];
    if (frame.type->kind == TypeKind::kObject) {
      if (!path.empty()) path += '.';
      path += frame.field->key;
    } else if (frame.type->kind == TypeKind::kList) {
      path += fmt::format("[{}]", frame.count - 1);
    } else {
      path += fmt::format("[{}]", ToValidUtf8(frame.key.view(), InputError::kValueBytesMax));
    }
  }
  return path;
}

std::string SchemaDecoder::StrictPath(std::string_view key) const {
  std::string path;
  for (size_t index = 0; index + 1 < frame_count_; ++index) {
    const Frame& frame = frames_[index];
    if (frame.type->kind == TypeKind::kList) {
      path += fmt::format("[{}]", frame.count - 1);
      continue;
    }
    if (!path.empty()) path += '.';
    path += frame.type->kind == TypeKind::kObject ? frame.field->key : frame.key.view();
  }
  if (!path.empty()) path += '.';
  path += key;
  return path;
}

void SchemaDecoder::AddStrictError(std::string_view what, std::string_view key) {
  std::vector<std::string>& errors = report_->strict_errors;
  if (errors.size() >= kStrictErrorsMax) return;
  std::string text = fmt::format("{} field {}", what, GoQuote(StrictPath(key)));
  if (std::find(errors.begin(), errors.end(), text) == errors.end()) {
    errors.push_back(std::move(text));
  }
}

void SchemaDecoder::AddFieldError(InputErrorCode code, std::string_view value,
                                  std::string_view written, std::string_view detail) {
  if (report_->field_errors.size() >= options_.errors_max) return;
  FieldError error;
  error.code = code;
  error.field = FieldPath();
  error.value = ToValidUtf8(value, InputError::kValueBytesMax);
  if (!error.field.empty()) error.message = error.field + ": ";
  error.message += "Invalid value: ";
  if (!written.empty()) error.message += fmt::format("{}: ", written);
  error.message += detail;
  report_->field_errors.push_back(std::move(error));
}

void SchemaDecoder::AddTypeError(const TypeInfo& expected, std::string_view actual,
                                 std::string_view value, std::string_view written) {
  AddFieldError(InputErrorCode::kFieldValueTypeInvalid, value, written,
                fmt::format("must be {}, not {}", ExpectedName(expected.kind), actual));
}

}  // namespace stowage
