#include "core/api/decode/schema_decoder.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "core/api/decode/decode_cache.h"
#include "core/api/encode/json_writer.h"
#include "core/api/encode/utf8.h"
#include "core/api/field_error.h"
#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/base/parse_double.h"
#include "core/base/split.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

constexpr TypeInfo kSymbolValue{TypeKind::kSymbol};
constexpr TypeInfo kQuantityValue{TypeKind::kQuantity};

STOWAGE_COLD std::string_view ExpectedName(TypeKind kind) {
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
    case TypeKind::kRawValue:
    case TypeKind::kOptional:
      break;
  }
  CHECK(false);
}

bool IsContainer(const TypeInfo& type, bool is_object) {
  if (!is_object) return type.kind == TypeKind::kList;
  return type.kind >= TypeKind::kPresence && type.kind <= TypeKind::kObject;
}

STOWAGE_COLD std::string Quoted(std::string_view text) {
  return GoQuote(ToValidUtf8(text, InputError::kValueBytesMax));
}

template <typename Entry>
STOWAGE_COLD bool HasKey(const std::vector<Entry>& entries, const Symbol& key) {
  return std::any_of(entries.begin(), entries.end(),
                     [&key](const Entry& entry) { return entry.first == key; });
}

// Writes the tokens that it receives as compact JSON.
class RawSink {
 public:
  explicit RawSink(std::string* out) : json_(out) {}

  bool Null() { return Wrote(json_.Null()); }
  bool Bool(bool value) { return Wrote(json_.Bool(value)); }
  bool Number(std::string_view text) { return Wrote(json_.Raw(text)); }
  bool String(std::string_view text) { return Wrote(json_.String(text)); }
  bool Key(std::string_view text) { return Wrote(json_.Key(text)); }
  bool OpenObject() { return Wrote(json_.BeginObject()); }
  bool CloseObject() { return Wrote(json_.EndObject()); }
  bool OpenArray() { return Wrote(json_.BeginArray()); }
  bool CloseArray() { return Wrote(json_.EndArray()); }

 private:
  static bool Wrote(JsonWriter&) { return true; }

  JsonWriter json_;
};

}  // namespace

SchemaDecoder::Slot SchemaDecoder::Inside(Slot slot) {
  while (slot.type->kind == TypeKind::kOptional) {
    slot = {slot.type->inner, slot.type->grow(slot.target)};
  }
  return slot;
}

bool SchemaDecoder::Read(const TypeInfo& type, void* target) {
  return ReadValue({&type, target}, nullptr);
}

bool SchemaDecoder::ReadRest(const TypeInfo& type, void* target,
                             std::initializer_list<std::string_view> names_read,
                             std::string_view key) {
  Frame frame(nullptr, {&type, target});
  uint64_t seen = 0;
  if (!key.empty() && !ReadMember(key, &frame, &seen)) return false;
  while (reader_.NextMember(&key)) {
    for (std::string_view name : names_read) {
      if (key == name) return false;
    }
    if (!ReadMember(key, &frame, &seen)) return false;
  }
  return !reader_.has_failed();
}

bool SchemaDecoder::ReadValue(Slot slot, const Frame* outer) {
  char first = reader_.Peek();
  if (first == 'n') return ReadNull(slot);
  bool is_container = first == '{' || first == '[';
  bool is_lenient = !options_.strict && !options_.is_case_insensitive;
  bool is_cached = slot.type->cache != nullptr && is_container && is_lenient;
  return is_cached ? ReadCached(slot, first, outer) : ReadAnew(slot, first, outer);
}

bool SchemaDecoder::ReadCached(Slot slot, char first, const Frame* outer) {
  DecodeCache& cache = slot.type->cache();
  // If the target is not empty, the text adds to it, so the cached value does not apply.
  if (!cache.IsUnset(slot.target)) return ReadAnew(slot, first, outer);
  if (cache.Read(&reader_, slot.target)) return true;
  size_t begin = reader_.offset();
  if (!ReadAnew(slot, first, outer)) return false;
  if (report_.field_errors.empty()) cache.Add(reader_, begin, slot.target);
  return true;
}

bool SchemaDecoder::ReadAnew(Slot slot, char first, const Frame* outer) {
  slot = Inside(slot);
  if (slot.type->kind == TypeKind::kRawJson) {
    return ReadRaw(&static_cast<RawJson*>(slot.target)->text);
  }
  if (slot.type->kind == TypeKind::kRawValue) {
    std::string json;
    if (!ReadRaw(&json)) return false;
    static_cast<RawValue*>(slot.target)->json = Symbol(json);
    return true;
  }
  std::string_view text;
  switch (first) {
    case '"':
      // With an inner type it accepts strings too.
      if (slot.type->kind == TypeKind::kRawMember && slot.type->inner != nullptr) {
        return ReadRawMember(slot, outer);
      }
      if (!reader_.ReadString(&text)) return false;
      PutString(slot, text, outer);
      return true;
    case '{':
    case '[':
      return ReadContainer(slot, first == '{', outer);
    case 't':
    case 'f':
      return ReadBool(slot, first == 't', outer);
    default:
      if (!reader_.ReadNumber(&text)) return false;
      PutNumber(slot, text, outer);
      return true;
  }
}

bool SchemaDecoder::ReadNull(Slot slot) {
  if (slot.type->clear != nullptr) slot.type->clear(slot.target);
  return reader_.ReadLiteral("null");
}

bool SchemaDecoder::ReadBool(Slot slot, bool value, const Frame* outer) {
  std::string_view text = value ? "true" : "false";
  if (!reader_.ReadLiteral(text)) return false;
  if (slot.type->kind == TypeKind::kBool) {
    *static_cast<bool*>(slot.target) = value;
  } else {
    AddTypeError(*slot.type, "a boolean", {text, text}, outer);
  }
  return true;
}

bool SchemaDecoder::ReadContainer(Slot slot, bool is_object, const Frame* outer) {
  if (!IsContainer(*slot.type, is_object)) {
    AddTypeError(*slot.type, is_object ? "an object" : "a list", {}, outer);
    return reader_.SkipValue();
  }
  switch (slot.type->kind) {
    case TypeKind::kObject:
      return ReadObject(slot, outer);
    case TypeKind::kList:
      return ReadList(slot, outer);
    case TypeKind::kMap:
      return ReadMap(slot, outer);
    case TypeKind::kLabelMap:
      return ReadLabels(slot, outer);
    case TypeKind::kResourceList:
      return ReadResources(slot, outer);
    case TypeKind::kKeys:
      return ReadKeys(slot);
    case TypeKind::kRawMember:
      return ReadRawMember(slot, outer);
    default:  // kPresence
      *static_cast<bool*>(slot.target) = true;
      return reader_.SkipValue();
  }
}

bool SchemaDecoder::ReadObject(Slot slot, const Frame* outer) {
  Frame frame(outer, slot);
  uint64_t seen = 0;  // strict: fields met, by position
  std::string_view key;
  for (bool has = reader_.EnterObject(&key); has; has = reader_.NextMember(&key)) {
    if (!ReadMember(key, &frame, &seen)) return false;
  }
  return !reader_.has_failed();
}

bool SchemaDecoder::ReadMember(std::string_view key, Frame* frame, uint64_t* seen) {
  const TypeInfo& type = *frame->type;
  const FieldInfo* field = options_.is_case_insensitive ? type.FindInAnyCase(key) : type.Find(key);
  frame->field = field;
  if (options_.strict && field == nullptr) AddStrictError("unknown", key, *frame);
  if (field == nullptr) {
    report_.has_managed_fields |= key == "managedFields";
    return reader_.SkipValue();
  }
  if (options_.strict) {
    uint64_t bit = uint64_t{1} << (field - type.fields);
    if ((*seen & bit) != 0) AddStrictError("duplicate", key, *frame);
    *seen |= bit;
  }
  return ReadValue({field->type, field->member(frame->target)}, frame);
}

bool SchemaDecoder::ReadList(Slot slot, const Frame* outer) {
  Frame frame(outer, slot);
  slot.type->clear(slot.target);
  for (bool has = reader_.EnterArray(); has; has = reader_.NextItem()) {
    ++frame.count;
    if (!ReadValue({slot.type->inner, slot.type->grow(slot.target)}, &frame)) return false;
  }
  return !reader_.has_failed();
}

bool SchemaDecoder::ReadMap(Slot slot, const Frame* outer) {
  Frame frame(outer, slot);
  std::string_view text;
  for (bool has = reader_.EnterObject(&text); has; has = reader_.NextMember(&text)) {
    std::string key(text);
    frame.key = key;
    if (options_.strict && slot.type->contains(slot.target, key)) {
      AddStrictError("duplicate", key, frame);
    }
    if (!ReadValue({slot.type->inner, slot.type->insert(slot.target, key)}, &frame)) return false;
  }
  return !reader_.has_failed();
}

STOWAGE_COLD bool SchemaDecoder::ReadKeys(Slot slot) {
  auto& keys = *static_cast<std::vector<Symbol>*>(slot.target);
  keys.clear();
  std::string_view key;
  for (bool has = reader_.EnterObject(&key); has; has = reader_.NextMember(&key)) {
    keys.emplace_back(key);
    if (!reader_.SkipValue()) return false;
  }
  StableSort(&keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return !reader_.has_failed();
}

bool SchemaDecoder::ReadLabels(Slot slot, const Frame* outer) {
  Frame frame(outer, slot);
  std::string_view text;
  for (bool has = reader_.EnterObject(&text); has; has = reader_.NextMember(&text)) {
    Symbol key(text);
    frame.key = key.view();
    if (options_.strict && HasKey(labels_, key)) AddStrictError("duplicate", frame.key, frame);
    if (!ReadLabel(key, frame)) return false;
  }
  static_cast<LabelMap*>(slot.target)->SetAll(&labels_);
  return !reader_.has_failed();
}

bool SchemaDecoder::ReadLabel(const Symbol& key, const Frame& frame) {
  char first = reader_.Peek();
  if (first != '"' && first != 'n') return ReadValue({&kSymbolValue, nullptr}, &frame);
  std::string_view text;
  bool is_read = first == 'n' ? reader_.ReadLiteral("null") : reader_.ReadString(&text);
  labels_.emplace_back(key, Symbol(text));
  return is_read;
}

bool SchemaDecoder::ReadResources(Slot slot, const Frame* outer) {
  Frame frame(outer, slot);
  std::string_view text;
  for (bool has = reader_.EnterObject(&text); has; has = reader_.NextMember(&text)) {
    Symbol key(text);
    frame.key = key.view();
    if (options_.strict && HasKey(quantities_, key)) AddStrictError("duplicate", frame.key, frame);
    Quantity& quantity = quantities_.emplace_back(std::move(key), Quantity()).second;
    if (!ReadValue({&kQuantityValue, &quantity}, &frame)) return false;
  }
  static_cast<ResourceList*>(slot.target)->SetAll(&quantities_);
  return !reader_.has_failed();
}

STOWAGE_COLD bool SchemaDecoder::ReadRaw(std::string* text) {
  text->clear();
  RawSink sink(text);
  return reader_.WalkValue(sink);
}

STOWAGE_COLD bool SchemaDecoder::ReadRawMember(Slot slot, const Frame* outer) {
  auto* member = static_cast<RawMember*>(slot.target);
  member->name = Symbol(outer->field->key);
  std::string json;
  if (!ReadRaw(&json)) return false;
  member->json = Symbol(json);
  return true;
}

void SchemaDecoder::PutNumber(Slot slot, std::string_view text, const Frame* outer) {
  switch (slot.type->kind) {
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return PutInteger(slot, text, outer);
    case TypeKind::kQuantity:
      return PutQuantity(slot, text, text, outer);
    case TypeKind::kDouble:
      *static_cast<double*>(slot.target) = *ParseDouble(text);
      return;
    default:
      AddTypeError(*slot.type, "a number", {text, text}, outer);
  }
}

void SchemaDecoder::PutInteger(Slot slot, std::string_view text, const Frame* outer) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool is_narrow = slot.type->kind == TypeKind::kInt32;
  if (error == std::errc() && end != text.data() + text.size()) {
    AddFieldError(InputErrorCode::kFieldValueInvalid, {text, text},
                  "must be an integer without fraction or exponent", outer);
  } else if (error != std::errc() || (is_narrow && value != static_cast<int32_t>(value))) {
    AddFieldError(InputErrorCode::kFieldValueInvalid, {text, text},
                  is_narrow ? "must be a 32-bit integer" : "must be a 64-bit integer", outer);
  } else if (is_narrow) {
    *static_cast<int32_t*>(slot.target) = static_cast<int32_t>(value);
  } else {
    *static_cast<int64_t*>(slot.target) = value;
  }
}

STOWAGE_COLD void SchemaDecoder::PutQuantity(Slot slot, std::string_view text,
                                             std::string_view written, const Frame* outer) {
  Result<Quantity, QuantityError> quantity = Quantity::Parse(text);
  if (quantity.ok()) {
    *static_cast<Quantity*>(slot.target) = quantity.Take();
  } else {
    AddFieldError(InputErrorCode::kFieldValueInvalid, {text, written}, quantity.fault().message,
                  outer);
  }
}

void SchemaDecoder::PutString(Slot slot, std::string_view text, const Frame* outer) {
  switch (slot.type->kind) {
    case TypeKind::kSymbol:
      *static_cast<Symbol*>(slot.target) = Symbol(text);
      return;
    case TypeKind::kString:
      *static_cast<std::string*>(slot.target) = text;
      return;
    case TypeKind::kQuantity: {
      // The quoted form is needed only in errors, so it is not built here.
      Result<Quantity, QuantityError> quantity = Quantity::Parse(TrimSpace(text));
      if (!quantity.ok()) return PutQuantity(slot, TrimSpace(text), Quoted(text), outer);
      *static_cast<Quantity*>(slot.target) = quantity.Take();
      return;
    }
    case TypeKind::kInstant:
    case TypeKind::kDuration:
      return PutTime(slot, text, outer);
    default:
      AddTypeError(*slot.type, "a string", {text, Quoted(text)}, outer);
  }
}

void SchemaDecoder::PutTime(Slot slot, std::string_view text, const Frame* outer) {
  bool is_instant = slot.type->kind == TypeKind::kInstant;
  if (is_instant) {
    if (std::optional<Instant> instant = Instant::Parse(text)) {
      *static_cast<Instant*>(slot.target) = *instant;
      return;
    }
  } else if (std::optional<Duration> duration = Duration::Parse(text)) {
    *static_cast<Duration*>(slot.target) = *duration;
    return;
  }
  AddFieldError(
      InputErrorCode::kFieldValueInvalid, {text, Quoted(text)},
      is_instant ? "must be a time as in RFC 3339" : "must be a duration such as 10s or 1m30s",
      outer);
}

STOWAGE_COLD std::vector<const SchemaDecoder::Frame*> SchemaDecoder::PathTo(const Frame* inner) {
  std::vector<const Frame*> path;
  for (const Frame* frame = inner; frame != nullptr; frame = frame->outer) path.push_back(frame);
  std::reverse(path.begin(), path.end());
  return path;
}

STOWAGE_COLD std::string SchemaDecoder::FieldPath(const Frame* outer) {
  std::string path;
  for (const Frame* frame : PathTo(outer)) {
    if (frame->type->kind == TypeKind::kObject) {
      if (!path.empty()) path += '.';
      path += frame->field->key;
    } else if (frame->type->kind == TypeKind::kList) {
      path += Format("[{}]", frame->count - 1);
    } else {
      path += Format("[{}]", ToValidUtf8(frame->key, InputError::kValueBytesMax));
    }
  }
  return path;
}

STOWAGE_COLD std::string SchemaDecoder::StrictPath(std::string_view key, const Frame& frame) {
  std::string path;
  for (const Frame* outer : PathTo(frame.outer)) {
    if (outer->type->kind == TypeKind::kList) {
      path += Format("[{}]", outer->count - 1);
      continue;
    }
    if (!path.empty()) path += '.';
    path += outer->type->kind == TypeKind::kObject ? outer->field->key : outer->key;
  }
  if (!path.empty()) path += '.';
  path += key;
  return path;
}

STOWAGE_COLD void SchemaDecoder::AddStrictError(std::string_view what, std::string_view key,
                                                const Frame& frame) {
  std::vector<std::string>& errors = report_.strict_errors;
  if (errors.size() >= kStrictErrorsMax) return;
  std::string text = Format("{} field {}", what, GoQuote(StrictPath(key, frame)));
  if (std::find(errors.begin(), errors.end(), text) == errors.end()) {
    errors.push_back(std::move(text));
  }
}

STOWAGE_COLD void SchemaDecoder::AddFieldError(InputErrorCode code, const Written& written,
                                               std::string_view detail, const Frame* outer) {
  if (report_.field_errors.size() >= options_.errors_max) return;
  FieldError error;
  error.code = code;
  error.field = FieldPath(outer);
  error.value = ToValidUtf8(written.value, InputError::kValueBytesMax);
  if (!error.field.empty()) error.message = error.field + ": ";
  error.message += "Invalid value: ";
  if (!written.text.empty()) error.message += Format("{}: ", written.text);
  error.message += detail;
  report_.field_errors.push_back(std::move(error));
}

STOWAGE_COLD void SchemaDecoder::AddTypeError(const TypeInfo& expected, std::string_view actual,
                                              const Written& written, const Frame* outer) {
  AddFieldError(InputErrorCode::kFieldValueTypeInvalid, written,
                Format("must be {}, not {}", ExpectedName(expected.kind), actual), outer);
}

}  // namespace stowage
