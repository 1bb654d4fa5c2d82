#include <algorithm>
#include <string>

#include "core/cel/libraries.h"
#include "core/cel/url.h"
#include "core/cel/url_escapes.h"

namespace stowage::cel {

const OpaqueKind kUrlKind = {"kubernetes.URL", [](const void* a, const void* b) {
                               return *static_cast<const Url*>(a) == *static_cast<const Url*>(b);
                             }};

namespace {

const Url& Of(const Value& value) { return *value.As<Url>(kUrlKind); }

Value ToUrl(const Call& call) {
  Url url;
  std::string fault = Url::Parse(call[0].text(), call.arena, &url);
  if (!fault.empty()) {
    return ValueBuilder::Error(call.arena,
                               {"URL parse error during conversion from string: ", fault});
  }
  const Url* kept = call.arena.New<Url>(url);
  if (kept == nullptr) return Value::Error(kCostExceeded);
  return ValueBuilder::OfOpaque(call.arena, kUrlKind, kept);
}
Value IsUrl(const Call& call) { return Value::Bool(Url::RequestUriFault(call[0].text()).empty()); }

Value GetScheme(const Call& call) { return Value::String(Of(call[0]).scheme()); }
Value GetHost(const Call& call) { return Value::String(Of(call[0]).host()); }
Value GetHostname(const Call& call) { return Value::String(Of(call[0]).Hostname()); }
Value GetPort(const Call& call) { return Value::String(Of(call[0]).Port()); }
Value GetEscapedPath(const Call& call) {
  return ValueBuilder::String(call.arena, {Of(call[0]).EscapedPath()});
}

// Reads "key=value" without its escapes; false if they are invalid.
bool ReadPair(const Call& call, std::string_view pair, MapEntry* entry) {
  size_t equals = std::min(pair.find('='), pair.size());
  std::string buffer;
  if (!UnescapeUrl(pair.substr(0, equals), UrlPart::kQuery, &buffer)) return false;
  entry->key = ValueBuilder::String(call.arena, {buffer});
  pair.remove_prefix(std::min(equals + 1, pair.size()));
  if (!UnescapeUrl(pair, UrlPart::kQuery, &buffer)) return false;
  entry->value = ValueBuilder::String(call.arena, {buffer});
  return true;
}

// Keys with the lists of their values. Pairs that cannot be read are left out, as in the reference.
Value GetQuery(const Call& call) {
  std::string_view query = Of(call[0]).raw_query();
  Value map = ValueBuilder::Map(call.arena, {});
  while (!query.empty() && !map.is_error()) {
    std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    MapEntry entry;
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    if (!ReadPair(call, pair, &entry)) continue;
    const Value* known = Find(map, entry.key);
    Value values = known != nullptr ? *known : ValueBuilder::List(call.arena, {});
    values = ValueBuilder::Concat(call.arena, values, {&entry.value, 1});
    map = ValueBuilder::Insert(call.arena, map, {entry.key, values});
  }
  return map;
}

constexpr Function kUrlFunctions[] = {
    {"url", "s:U", ToUrl, CostOfFirst},         {"isURL", "s:b", IsUrl, CostOfFirst},
    {"getScheme", "U.:s", GetScheme},           {"getHost", "U.:s", GetHost},
    {"getHostname", "U.:s", GetHostname},       {"getPort", "U.:s", GetPort},
    {"getEscapedPath", "U.:s", GetEscapedPath}, {"getQuery", "U.:msls", GetQuery},
};

}  // namespace

FunctionTable UrlFunctions() { return kUrlFunctions; }

}  // namespace stowage::cel
