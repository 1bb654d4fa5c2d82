#include "core/api/decode/object_stream.h"

#include <utility>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/json_scanner.h"
#include "core/api/decode/json_tokens.h"
#include "core/api/decode/objects.h"
#include "core/api/decode/one_pass.h"
#include "core/base/check.h"
#include "core/base/format.h"

namespace stowage {
namespace {

struct ListMeta {
  std::string resource_version;
};

}  // namespace

template <>
struct Schema<ListMeta> {
  static constexpr auto kFields = Fields(Field<&ListMeta::resource_version>("resourceVersion"));
};

namespace {

constexpr size_t kListNestingMax = 4;
constexpr std::string_view kListSuffix = "List";

// "PodList" → "Pod"; empty if `kind` is not the name of a typed List.
std::string_view ItemKindOf(std::string_view kind) {
  if (kind.size() <= kListSuffix.size()) return {};
  std::string_view item_kind = kind.substr(0, kind.size() - kListSuffix.size());
  return kind.substr(item_kind.size()) == kListSuffix ? item_kind : std::string_view();
}

bool IsUntypedList(const TypeName& type) {
  return type.kind == kListSuffix && type.api_version == "v1";
}

// The text for naming an object, if it is short and valid; else empty.
std::string NameText(std::string_view bytes, const JsonValue& value) {
  constexpr size_t kNameMax = 253;
  if (!value.is_string() || value.size() > kNameMax) return {};
  return ReadJsonString(value.In(bytes)).value_or(std::string());
}

}  // namespace

std::optional<std::string> RequireString(std::string_view bytes, const JsonValue& value,
                                         std::string_view field, const Subject& subject,
                                         ErrorReporter* errors) {
  if (!value.exists() || value.is_null()) {
    errors->ReportField(InputErrorCode::kFieldValueRequired, subject, field, {}, "Required value");
    return std::nullopt;
  }
  if (!value.is_string()) {
    errors->ReportField(InputErrorCode::kFieldValueTypeInvalid, subject, field, {},
                        Format("Invalid value: must be a string, not {}", value.type_name()));
    return std::nullopt;
  }
  std::optional<std::string> text = ReadJsonString(value.In(bytes));
  if (!text.has_value()) {
    std::optional<JsonFault> fault = FindJsonFault(value.In(bytes));
    CHECK(fault.has_value());
    errors->ReportFault(subject, value.begin, *fault);
  } else if (text->empty()) {
    errors->ReportField(InputErrorCode::kFieldValueRequired, subject, field, {}, "Required value");
    return std::nullopt;
  }
  return text;
}

std::optional<KindInfo> ObjectStream::Find(const TypeName& type) const {
  return FindKind(type.api_version, type.kind, limits_.other_resources);
}

bool ObjectStream::IsList(const Envelope& item, const TypeName& type) const {
  if (IsUntypedList(type)) return true;
  std::string_view item_kind = ItemKindOf(type.kind);
  if (item_kind.empty()) return false;
  return item.items.is_array() ||
         FindKind(type.api_version, item_kind, limits_.other_resources).has_value();
}

Subject ObjectStream::SubjectOf(const Envelope& item, const TypeName* inherited) const {
  Subject subject{item.value.begin, NameText(bytes_, item.api_version), NameText(bytes_, item.kind),
                  item.metadata};
  if (inherited != nullptr && subject.kind.empty()) {
    subject.api_version = inherited->api_version;
    subject.kind = inherited->kind;
  }
  return subject;
}

std::optional<TypeName> ObjectStream::ReadTypeName(const Envelope& item, const Subject& subject,
                                                   const TypeName* inherited) {
  if (inherited != nullptr && !item.kind.exists()) return *inherited;
  std::optional<std::string> kind = RequireString(bytes_, item.kind, "kind", subject, &errors_);
  if (!kind.has_value()) return std::nullopt;
  if (inherited != nullptr && !item.api_version.exists() && *kind == inherited->kind) {
    return *inherited;
  }
  std::optional<std::string> api_version =
      RequireString(bytes_, item.api_version, "apiVersion", subject, &errors_);
  if (!api_version.has_value()) return std::nullopt;
  return TypeName{std::move(*api_version), std::move(*kind)};
}

void ObjectStream::DecodeNamed(const Envelope& item, ChangeType change, const TypeName* inherited) {
  Subject subject = SubjectOf(item, inherited);
  std::optional<TypeName> type;
  if (item.fault_offset.has_value()) {
    errors_.ReportBroken(subject, bytes_.substr(0, item.value.end), item);
  } else if (!item.value.is_object()) {
    errors_.ReportField(InputErrorCode::kFieldValueTypeInvalid, subject, {}, {},
                        Format("Invalid value: must be an object, not {}", item.value.type_name()));
  } else {
    type = ReadTypeName(item, subject, inherited);
  }
  if (!type.has_value()) return errors_.NextItem();
  if (IsList(item, *type)) return DecodeList(item, *type, change);
  if (std::optional<KindInfo> info = Find(*type)) {
    DecodeObject(item.value, *info, subject, change);
  } else {
    errors_.Report(
        InputErrorCode::kUnknownKind, subject,
        Format("this engine does not read the kind {} of {}", subject.kind, subject.api_version));
  }
  errors_.NextItem();
}

void ObjectStream::DecodeObject(const JsonValue& value, const KindInfo& info,
                                const Subject& subject, ChangeType change) {
  bool is_deleted = change == ChangeType::kDeleted;
  if (value.size() > limits_.object_bytes && !is_deleted) {
    return errors_.Report(
        InputErrorCode::kTooLarge, subject,
        Format("the object has {} bytes, more than {}", value.size(), limits_.object_bytes));
  }
  ObjectDecoding decoding =
      is_deleted ? DecodeDeletedObject(value.In(bytes_), info)
                 : stowage::DecodeObject(value.In(bytes_), info, limits_.depth, limits_.sources);
  if (decoding.syntax_error.has_value()) {
    return errors_.ReportSyntaxError(subject, value.begin, *decoding.syntax_error);
  }
  for (FieldError& error : decoding.field_errors) {
    errors_.ReportFieldError(subject, std::move(error));
  }
  if (decoding.object.has_value()) sink_.OnObject(change, std::move(*decoding.object));
}

void ObjectStream::DecodeList(const Envelope& list, const TypeName& type, ChangeType change) {
  Subject subject = SubjectOf(list, nullptr);
  if (nesting_ == kListNestingMax) {
    errors_.Report(InputErrorCode::kTooDeep, subject,
                   Format("Lists nest deeper than {} levels", kListNestingMax));
    return errors_.NextItem();
  }
  if (!list.items.exists()) {
    errors_.ReportField(InputErrorCode::kFieldValueRequired, subject, "items", {},
                        "Required value");
    return errors_.NextItem();
  }
  if (!list.items.is_array() && !list.items.is_null()) {
    errors_.ReportField(InputErrorCode::kFieldValueTypeInvalid, subject, "items", {},
                        Format("Invalid value: must be a list, not {}", list.items.type_name()));
    return errors_.NextItem();
  }
  bool is_typed = !IsUntypedList(type);
  TypeName item_type{type.api_version, std::string(ItemKindOf(type.kind))};
  if (is_typed && !Find(item_type).has_value()) {
    subject.kind = item_type.kind;
    errors_.Report(InputErrorCode::kUnknownKind, subject,
                   Format("this engine does not read the kind {} of {}", item_type.kind,
                          item_type.api_version));
    return errors_.NextItem();
  }
  Bookmark bookmark{item_type.api_version, item_type.kind, {}, false};
  if (!CheckListMembers(list, subject, &bookmark)) errors_.NextItem();
  // A List that names its kind twice gives its items the last one.
  bool is_top = nesting_ == 0;
  if (is_top && kind_ahead_ != FindKind(item_type.api_version, item_type.kind)) ForgetAhead();
  ++nesting_;
  DecodeItems(list.items, change, is_typed ? &item_type : nullptr);
  --nesting_;
  if (is_typed && !bookmark.resource_version.empty()) sink_.OnBookmark(std::move(bookmark));
}

bool ObjectStream::CheckListMembers(const Envelope& list, const Subject& subject,
                                    Bookmark* bookmark) {
  size_t known_count = 3 + (list.metadata.exists() ? 1 : 0);  // with kind, apiVersion and items
  if (list.member_count != known_count) {
    if (std::optional<JsonFault> fault = FindMemberFault(bytes_, list.value, list.items)) {
      errors_.ReportFault(subject, 0, *fault);
      return false;
    }
  }
  if (!list.metadata.exists()) return true;
  ListMeta metadata;
  DecodeOptions options;
  options.depth_max = limits_.depth;
  DecodeReport report = DecodeJson(list.metadata.In(bytes_), options, &metadata);
  bookmark->resource_version = std::move(metadata.resource_version);
  if (report.syntax_error.has_value()) {
    errors_.ReportSyntaxError(subject, list.metadata.begin, *report.syntax_error);
    return false;
  }
  for (FieldError& error : report.field_errors) {
    error.field.insert(0, error.field.empty() ? "metadata" : "metadata.");
    error.message.insert(0, error.field == "metadata" ? "metadata: " : "metadata.");
    errors_.ReportFieldError(subject, std::move(error));
  }
  return report.field_errors.empty();
}

bool ObjectStream::ReadAhead(std::string_view text, size_t begin, Envelope* item) {
  ForgetAhead();
  JsonScanner scanner(text, begin);
  if (!scanner.AtObject()) return false;
  scanner.OpenObject();
  item->value = {scanner.offset() - 1, 0, '{'};
  std::string_view key;
  while (scanner.NextMember(&key) && key != "type" && key != "object") {
    JsonValue value;
    if (key == "items" && scanner.AtArray()) {
      value = {scanner.offset(), 0, '['};
      ReadItemsAhead(*item, &scanner);
      value.end = scanner.offset();
    } else {
      scanner.SkipValue(&value);
    }
    AddMember(key, value, item);
    key = {};
  }
  item->value.end = scanner.offset();
  if (key.empty() && scanner.ExpectEnd()) return true;
  ForgetAhead();
  return false;
}

void ObjectStream::ForgetAhead() {
  ahead_.clear();
  passed_ = 0;
  kind_ahead_ = nullptr;
}

void ObjectStream::ReadItemsAhead(const Envelope& list, JsonScanner* scanner) {
  ForgetAhead();
  std::string_view text = scanner->text();
  std::string kind = NameText(bytes_, list.kind);
  kind_ahead_ = FindKind(NameText(bytes_, list.api_version), ItemKindOf(kind));
  scanner->OpenArray();
  while (scanner->NextItem()) {
    size_t begin = scanner->offset();
    JsonReader reader(text, {.depth_max = limits_.depth}, begin);
    std::string_view key;
    std::optional<AnyObject> object;
    if (scanner->AtObject() && reader.EnterObject(&key)) {
      object = DecodeInOnePass({&reader, text, begin, key, false, kind_ahead_}, limits_);
    }
    if (object.has_value()) {
      ahead_.push_back({begin, reader.offset(), *std::move(object)});
      scanner->MoveTo(reader.offset());
    } else {
      JsonValue item;
      scanner->SkipValue(&item);
    }
  }
}

bool ObjectStream::PassItem(ChangeType change, JsonScanner* scanner) {
  if (passed_ == ahead_.size() || ahead_[passed_].begin != scanner->offset()) return false;
  ItemAhead& item = ahead_[passed_++];
  scanner->MoveTo(item.end);
  sink_.OnObject(change, std::move(item.object));
  errors_.NextItem();
  return true;
}

bool ObjectStream::DecodeItems(const JsonValue& items, ChangeType change,
                               const TypeName* inherited) {
  if (!items.is_array()) return true;
  JsonScanner scanner(bytes_.substr(0, items.end), items.begin);
  scanner.OpenArray();
  while (scanner.NextItem()) {
    if (PassItem(change, &scanner)) continue;
    Envelope item = ScanLeadingEnvelope(bytes_.substr(0, items.end), scanner.offset());
    if (!item.fault_offset.has_value()) {
      scanner.MoveTo(item.value.end);
      DecodeNamed(item, change, inherited);
      continue;
    }
    // The object is malformed at its own level, but can still be separated if its brackets balance.
    JsonValue value;
    if (!scanner.SkipValue(&value)) {
      if (!value.exists()) break;
      errors_.ReportScanError(SubjectOf(item, inherited), scanner.offset(), scanner.FaultMessage());
      errors_.NextItem();
      return false;
    }
    DecodeNamed(ScanEnvelope(bytes_.substr(0, value.end), value.begin), change, inherited);
  }
  if (!scanner.has_failed()) return true;
  errors_.ReportScanError({scanner.offset(), {}, {}, {}}, scanner.offset(), scanner.FaultMessage());
  errors_.NextItem();
  return false;
}

bool ObjectStream::DecodeBroken(const Envelope& list, ChangeType change) {
  // kubectl sorts members, so a truncated untyped List lacks its kind; its items name their own.
  TypeName type{NameText(bytes_, list.api_version), NameText(bytes_, list.kind)};
  std::string_view item_kind = ItemKindOf(type.kind);
  TypeName item_type{type.api_version, std::string(item_kind)};
  return !DecodeItems(list.items, change, item_kind.empty() ? nullptr : &item_type);
}

}  // namespace stowage
