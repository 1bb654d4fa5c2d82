// Envelope is the outer level of one object, List, watch event or command: the places of the
// members that identify it. A scan finds it before anything is decoded.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/decode/json_scanner.h"
#include "core/api/decode/json_tokens.h"

namespace stowage {

struct Envelope {
  JsonValue value;  // the whole

  JsonValue api_version;
  JsonValue kind;
  JsonValue metadata;
  JsonValue items;
  JsonValue type;
  JsonValue object;
  JsonValue resource;
  JsonValue resource_version;
  JsonValue pod;
  size_t member_count = 0;  // repeated ones and those with no place here included

  // Set when the text is not a JSON object; members before the fault are still set.
  std::optional<size_t> fault_offset;
  std::string fault_message;
};

// Scans the JSON value that begins at `begin` of `text` and must end at its end, space aside. Of
// repeated members the last counts. A value that is no object has no members and no fault.
Envelope ScanEnvelope(std::string_view text, size_t begin);

// The same, and in the same pass the envelope of the member `object`; that does not exist where the
// member is no object, or where the whole is no JSON.
Envelope ScanEvent(std::string_view text, size_t begin, Envelope* object);

// As ScanEnvelope, for a value that more may follow.
Envelope ScanLeadingEnvelope(std::string_view text, size_t begin);

// The member `key` of the object that `object` spans; does not exist when there is none.
JsonValue FindMember(std::string_view text, const JsonValue& object, std::string_view key);

// The first fault of `object` outside the member value `except`, which is left unread. Its offset
// is that of `text`.
std::optional<JsonFault> FindMemberFault(std::string_view text, const JsonValue& object,
                                         const JsonValue& except);

// The content of a JSON string with its escapes resolved; nullopt when `json` is no sound string.
std::optional<std::string> ReadJsonString(std::string_view json);

}  // namespace stowage
