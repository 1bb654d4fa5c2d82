#include "core/scheduler/write_calls.h"

#include "core/api/encode/json_writer.h"

namespace stowage {
namespace {

// Whether a group holds both calls: what it does not say once differs.
bool AreOfOneGroup(const Call& one, const Call& other) {
  return one.kind == other.kind && one.verb == other.verb && one.target == other.target &&
         one.method == other.method && one.content_type == other.content_type &&
         one.timeout_us == other.timeout_us && one.deadline == other.deadline;
}

// Leaves the group's array of calls open.
void BeginGroup(const Call& call, JsonWriter* json) {
  json->BeginObject().StringMember<"callKind">(call.kind);
  if (!call.target.empty()) json->StringMember<"target">(call.target);
  json->StringMember<"verb">(call.verb);
  if (!call.method.empty()) {
    json->StringMember<"method">(call.method);
    json->StringMember<"contentType">(call.content_type);
  }
  if (call.timeout_us > 0) {
    json->IntMember<"timeoutMs">(call.timeout_us / 1000);
    json->IntMember<"deadline">(call.deadline.ToMicros());
  }
  json->Key<"calls">().BeginArray();
}

}  // namespace

void WriteCalls(const std::vector<Call>& calls, bool are_of_query, std::string* out) {
  if (calls.empty()) return;
  JsonWriter json(out);
  json.BeginObject().StringMember<"kind">("Calls").Key<"groups">().BeginArray();
  const Call* last = nullptr;
  size_t body_bytes = 0;
  for (const Call& call : calls) {
    if (last == nullptr || !AreOfOneGroup(*last, call)) {
      if (last != nullptr) json.EndArray().EndObject();
      BeginGroup(call, &json);
    }
    json.BeginArray().Int(call.id).String(call.pod).String(call.url).Int(call.body.size());
    if (are_of_query) json.String(CallKey(call));
    json.EndArray();
    body_bytes += call.body.size();
    last = &call;
  }
  json.EndArray().EndObject().EndArray().IntMember<"bodyBytes">(body_bytes).EndObject();
  out->push_back('\n');
  for (const Call& call : calls) out->append(call.body);
}

}  // namespace stowage
