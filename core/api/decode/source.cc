#include "core/api/decode/source.h"

#include <span>

#include "core/api/decode/envelope.h"
#include "core/api/encode/json_writer.h"
#include "core/base/check.h"

namespace stowage {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

JsonValue Whole(std::string_view json) {
  size_t begin = json.find('{');
  CHECK(begin != std::string_view::npos);
  return {begin, json.size(), '{'};
}

// Removes a member with its name and one comma from the object around it.
void RemoveMember(const JsonValue& member, std::string* json) {
  size_t begin = json->rfind(':', member.begin);
  begin = json->rfind('"', begin);
  begin = json->rfind('"', begin - 1);
  size_t end = member.end;
  while (IsSpace((*json)[end])) ++end;
  if ((*json)[end] == ',') {
    ++end;
  } else {
    while (IsSpace((*json)[begin - 1])) --begin;
    if ((*json)[begin - 1] == ',') --begin;
  }
  json->erase(begin, end - begin);
}

// Adds `name: value` as the first member of the object that begins at `begin`.
void InsertMember(size_t begin, std::string_view name, std::string_view value, std::string* json) {
  size_t next = begin + 1;
  while (IsSpace((*json)[next])) ++next;
  std::string member;
  AppendJsonString(name, &member);
  member += ':';
  member += value;
  if ((*json)[next] != '}') member += ',';
  json->insert(begin + 1, member);
}

// `{"b":{"c":value}}` for the path b, c.
std::string Nested(std::span<const std::string_view> path, std::string value) {
  for (; !path.empty(); path = path.first(path.size() - 1)) {
    std::string outer = "{";
    AppendJsonString(path.back(), &outer);
    outer += ':' + value + '}';
    value = std::move(outer);
  }
  return value;
}

// An empty `json` removes the value.
void SetAt(std::span<const std::string_view> path, std::string json, std::string* object) {
  JsonValue at = Whole(*object);
  JsonValue member = FindMember(*object, at, path.front());
  while (member.is_object() && path.size() > 1) {
    at = member;
    path = path.subspan(1);
    member = FindMember(*object, at, path.front());
  }
  if (json.empty()) {
    if (member.exists()) RemoveMember(member, object);
  } else if (member.exists()) {
    object->replace(member.begin, member.size(), Nested(path.subspan(1), std::move(json)));
  } else {
    InsertMember(at.begin, path.front(), Nested(path.subspan(1), std::move(json)), object);
  }
}

}  // namespace

std::string SourceOf(std::string_view json) {
  std::string source(json);
  JsonValue metadata = FindMember(source, Whole(source), "metadata");
  if (!metadata.is_object()) return source;
  JsonValue fields = FindMember(source, metadata, "managedFields");
  if (fields.exists()) RemoveMember(fields, &source);
  return source;
}

void SetJsonAt(std::initializer_list<std::string_view> path, std::string_view json,
               std::string* object) {
  SetAt({path.begin(), path.size()}, std::string(json), object);
}

void SetStringAt(std::initializer_list<std::string_view> path, std::string_view text,
                 std::string* object) {
  std::string json;
  if (!text.empty()) AppendJsonString(text, &json);
  SetAt({path.begin(), path.size()}, std::move(json), object);
}

std::string PodJson(const Pod& pod) {
  CHECK(pod.metadata.source != nullptr);
  std::string json = *pod.metadata.source;
  SetStringAt({"spec", "nodeName"}, pod.spec.node_name.view(), &json);
  SetStringAt({"status", "nominatedNodeName"}, pod.status.nominated_node_name.view(), &json);
  SetStringAt({"status", "phase"}, pod.status.phase.view(), &json);
  return json;
}

std::string_view NodeJson(const Node& node) {
  CHECK(node.metadata.source != nullptr);
  return *node.metadata.source;
}

}  // namespace stowage
