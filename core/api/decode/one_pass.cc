#include "core/api/decode/one_pass.h"

namespace stowage {
namespace {

// The kind of an object whose first two members are apiVersion and kind. Null if they are not
// first, or if the engine does not read that kind.
const KindInfo* ReadKindFirst(JsonReader* reader, std::string_view key) {
  std::string_view kind;
  std::string_view api_version;
  bool is_kind_first = IsName(*reader, key, "kind");
  if (!is_kind_first && !IsName(*reader, key, "apiVersion")) return nullptr;
  if (!ReadPlainString(reader, is_kind_first ? &kind : &api_version)) return nullptr;
  if (!reader->NextMember(&key)) return nullptr;
  if (!IsName(*reader, key, is_kind_first ? "apiVersion" : "kind")) return nullptr;
  if (!ReadPlainString(reader, is_kind_first ? &api_version : &kind)) return nullptr;
  return FindKind(api_version, kind);
}

}  // namespace

bool IsName(const JsonReader& reader, std::string_view key, std::string_view name) {
  return key == name && reader.HasNoEscapes(key);
}

bool ReadPlainString(JsonReader* reader, std::string_view* text) {
  return reader->Peek() == '"' && reader->ReadString(text) && reader->HasNoEscapes(*text);
}

std::optional<AnyObject> DecodeInOnePass(const OnePassInput& input, const DecodeLimits& limits) {
  JsonReader* reader = input.reader;
  StartedObject started{reader, input.text, input.begin, {}};
  const KindInfo* info = nullptr;
  if (input.inherited != nullptr && input.key == "metadata") {
    info = input.inherited;
    started.key = input.key;
  } else {
    info = ReadKindFirst(reader, input.key);
  }
  if (info == nullptr) return std::nullopt;
  std::optional<AnyObject> object =
      DecodeStartedObject(started, *info, input.is_deleted, limits.sources);
  bool is_too_large = reader->offset() - input.begin > limits.object_bytes && !input.is_deleted;
  if (is_too_large) return std::nullopt;
  return object;
}

}  // namespace stowage
