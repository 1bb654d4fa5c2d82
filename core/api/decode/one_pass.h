// Decodes an object in one pass if its kind comes first, as the API server and kubectl write it.
// For any other object, its extent and kind are found first (core/api/decode/envelope.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/api/any_object.h"
#include "core/api/decode/batch.h"
#include "core/api/decode/json_reader.h"
#include "core/api/decode/objects.h"

namespace stowage {

// Whether `key` is `name`, written without an escape.
bool IsName(const JsonReader& reader, std::string_view key, std::string_view name);

// A string without escapes.
bool ReadPlainString(JsonReader* reader, std::string_view* text);

struct OnePassInput {
  JsonReader* reader;     // behind the first key of the object
  std::string_view text;  // the reader's text
  size_t begin;           // offset of the object's start
  std::string_view key;   // the first key
  bool is_deleted = false;
  const KindInfo* inherited = nullptr;  // the kind of an object that names none
};

// The object, up to the reader's cursor. nullopt on any error, and for all objects that need two
// passes.
std::optional<AnyObject> DecodeInOnePass(const OnePassInput& input, const DecodeLimits& limits);

}  // namespace stowage
