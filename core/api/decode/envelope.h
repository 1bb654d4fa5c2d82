// Envelope is the outer level of an object, List, watch event or command: the positions of the
// members that identify it. A scan finds it before anything is decoded.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/decode/json_scanner.h"
#include "core/api/decode/json_tokens.h"

namespace stowage {

struct Envelope {
  JsonValue value;  // the whole value

  JsonValue api_version;
  JsonValue kind;
  JsonValue metadata;
  JsonValue items;
  JsonValue type;
  JsonValue object;
  JsonValue resource;
  JsonValue resource_version;
  JsonValue pod;
  size_t member_count = 0;  // includes duplicate members and members that have no field here

  // Set if the text is not a JSON object; members before the error are still set.
  std::optional<size_t> fault_offset;
  std::string fault_message;
};

// Scans the JSON value that starts at `begin` of `text`, which must end with it, apart from space.
// For duplicate members the last one counts. A value that is not an object has no members and no
// error.
Envelope ScanEnvelope(std::string_view text, size_t begin);

// Also scans the envelope of the member `object` in the same pass. That envelope does not exist if
// the member is not an object, or if the whole text is not JSON.
Envelope ScanEvent(std::string_view text, size_t begin, Envelope* object);

// Like ScanEnvelope, for a value that more text may follow.
Envelope ScanLeadingEnvelope(std::string_view text, size_t begin);

// Adds a member that was scanned.
void AddMember(std::string_view key, const JsonValue& value, Envelope* envelope);

// The member `key` of the object that `object` spans; does not exist if there is none.
JsonValue FindMember(std::string_view text, const JsonValue& object, std::string_view key);

// The text of the member at `path` of the first object in `text`; empty if there is none.
std::string_view MemberText(std::string_view text, std::initializer_list<std::string_view> path);

// The first error in `object` outside the member value `except`, which is skipped. Its offset
// counts from the start of `text`.
std::optional<JsonFault> FindMemberFault(std::string_view text, const JsonValue& object,
                                         const JsonValue& except);

// The content of a JSON string with its escapes resolved; nullopt if `json` is not a valid string.
std::optional<std::string> ReadJsonString(std::string_view json);

}  // namespace stowage
