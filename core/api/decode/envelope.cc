#include "core/api/decode/envelope.h"

#include <algorithm>

#include "core/api/decode/decode_json.h"

namespace stowage {
namespace {

struct Place {
  std::string_view key;
  JsonValue Envelope::*member;
};

constexpr Place kPlaces[] = {
    {"apiVersion", &Envelope::api_version},
    {"kind", &Envelope::kind},
    {"metadata", &Envelope::metadata},
    {"items", &Envelope::items},
    {"type", &Envelope::type},
    {"object", &Envelope::object},
    {"resource", &Envelope::resource},
    {"resourceVersion", &Envelope::resource_version},
    {"pod", &Envelope::pod},
};

// If `object` is set, the member of that name is scanned into it.
void ScanInto(JsonScanner* scanner, Envelope* envelope, Envelope* object = nullptr) {
  if (!scanner->AtObject()) {
    scanner->SkipValue(&envelope->value);
    return;
  }
  scanner->OpenObject();
  envelope->value = {scanner->offset() - 1, 0, '{'};
  std::string_view key;
  while (scanner->NextMember(&key)) {
    JsonValue value;
    if (object != nullptr && key == "object") {
      *object = Envelope();
      ScanInto(scanner, object);
      value = object->value;
    } else {
      scanner->SkipValue(&value);
    }
    if (value.exists()) AddMember(key, value, envelope);
  }
  envelope->value.end = scanner->offset();
}

void SetFault(const JsonScanner& scanner, std::string_view text, Envelope* envelope) {
  envelope->value.end = text.size();
  envelope->fault_offset = scanner.offset();
  envelope->fault_message = scanner.FaultMessage();
}

bool IsPlainContent(std::string_view content) {
  return std::all_of(content.begin(), content.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f &&
           c != '\\' && c != '"';
  });
}

}  // namespace

void AddMember(std::string_view key, const JsonValue& value, Envelope* envelope) {
  ++envelope->member_count;
  for (const Place& place : kPlaces) {
    if (place.key == key) {
      envelope->*place.member = value;
      return;
    }
  }
}

Envelope ScanEnvelope(std::string_view text, size_t begin) {
  Envelope envelope;
  JsonScanner scanner(text, begin);
  ScanInto(&scanner, &envelope);
  if (!scanner.ExpectEnd()) SetFault(scanner, text, &envelope);
  return envelope;
}

Envelope ScanEvent(std::string_view text, size_t begin, Envelope* object) {
  Envelope envelope;
  JsonScanner scanner(text, begin);
  ScanInto(&scanner, &envelope, object);
  if (scanner.ExpectEnd()) return envelope;
  *object = Envelope();
  return ScanEnvelope(text, begin);
}

Envelope ScanLeadingEnvelope(std::string_view text, size_t begin) {
  Envelope envelope;
  JsonScanner scanner(text, begin);
  ScanInto(&scanner, &envelope);
  if (scanner.has_failed()) SetFault(scanner, text, &envelope);
  return envelope;
}

JsonValue FindMember(std::string_view text, const JsonValue& object, std::string_view key) {
  JsonValue found;
  if (!object.is_object()) return found;
  JsonScanner scanner(text.substr(0, object.end), object.begin);
  scanner.OpenObject();
  std::string_view name;
  while (scanner.NextMember(&name)) {
    JsonValue value;
    scanner.SkipValue(&value);
    if (name == key) found = value;
  }
  return found;
}

std::string_view MemberText(std::string_view text, std::initializer_list<std::string_view> path) {
  size_t begin = text.find('{');
  if (begin == std::string_view::npos) return {};
  JsonValue value{begin, text.size(), '{'};
  for (std::string_view key : path) value = FindMember(text, value, key);
  return value.exists() ? value.In(text) : std::string_view();
}

std::optional<JsonFault> FindMemberFault(std::string_view text, const JsonValue& object,
                                         const JsonValue& except) {
  JsonScanner scanner(text.substr(0, object.end), object.begin);
  scanner.OpenObject();
  std::string_view key;
  while (scanner.NextMember(&key)) {
    auto key_begin = static_cast<size_t>(key.data() - text.data()) - 1;
    std::optional<JsonFault> fault = FindJsonFault(text.substr(key_begin, key.size() + 2));
    size_t begin = key_begin;
    JsonValue value;
    scanner.SkipValue(&value);
    if (!fault.has_value() && value.begin != except.begin) {
      fault = FindJsonFault(value.In(text));
      begin = value.begin;
    }
    if (fault.has_value()) {
      fault->offset += begin;
      return fault;
    }
  }
  return std::nullopt;
}

std::optional<std::string> ReadJsonString(std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return std::nullopt;
  std::string_view content = json.substr(1, json.size() - 2);
  if (json.back() == '"' && IsPlainContent(content)) return std::string(content);
  std::string text;
  if (!DecodeJson(json, DecodeOptions(), &text).ok()) return std::nullopt;
  return text;
}

}  // namespace stowage
