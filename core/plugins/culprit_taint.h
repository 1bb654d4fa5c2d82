// Writes the taint that a plugin refuses a node for, as part of a culprit.
#pragma once

#include "core/api/encode/json_writer.h"
#include "core/api/node.h"

namespace stowage {

inline void WriteTaint(const Taint& taint, JsonWriter* json) {
  json->Key("taint").BeginObject().StringMember("key", taint.key.view());
  if (!taint.value.empty()) json->StringMember("value", taint.value.view());
  json->StringMember("effect", taint.effect.view()).EndObject();
}

}  // namespace stowage
