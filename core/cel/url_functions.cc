#include <vector>

#include "core/cel/libraries.h"
#include "core/cel/url.h"

namespace stowage::cel {

const OpaqueKind kUrlKind = {"kubernetes.URL", [](const void* a, const void* b) {
                               return *static_cast<const Url*>(a) == *static_cast<const Url*>(b);
                             }};

namespace {

constexpr size_t kBytesPerUrl = 512;  // its texts are not in the arena, but count against its bound

const Url& Of(const Value& value) { return *value.As<Url>(kUrlKind); }

Value Text(const Call& call, const std::string& text) {
  return ValueBuilder::String(call.arena, {text});
}

Value ToUrl(const Call& call) {
  Result<Url, UrlError> url = Url::Parse(call[0].text());
  if (!url.ok()) {
    return ValueBuilder::Error(
        call.arena, {"URL parse error during conversion from string: ", url.fault().message});
  }
  if (call.arena.Allocate(kBytesPerUrl + call[0].text().size()) == nullptr) {
    return Value::Error(kCostExceeded);
  }
  return ValueBuilder::OfOpaque(call.arena, kUrlKind, call.arena.Own(url.Take()));
}
Value IsUrl(const Call& call) { return Value::Bool(Url::RequestUriFault(call[0].text()).empty()); }

Value GetScheme(const Call& call) { return Text(call, Of(call[0]).scheme); }
Value GetHost(const Call& call) { return Text(call, Of(call[0]).host); }
Value GetHostname(const Call& call) { return Text(call, Of(call[0]).Hostname()); }
Value GetPort(const Call& call) { return Text(call, Of(call[0]).Port()); }
Value GetEscapedPath(const Call& call) { return Text(call, Of(call[0]).EscapedPath()); }

Value GetQuery(const Call& call) {
  std::vector<MapEntry> entries;
  for (const auto& [key, texts] : Of(call[0]).Query()) {
    std::vector<Value> values;
    for (const std::string& text : texts) values.push_back(Text(call, text));
    entries.push_back({Text(call, key), ValueBuilder::List(call.arena, values)});
  }
  if (call.arena.is_exhausted()) return Value::Error(kCostExceeded);
  return ValueBuilder::Map(call.arena, entries);
}

constexpr Function kFunctions[] = {
    {"url", "s:U", ToUrl, CostOfFirst},         {"isURL", "s:b", IsUrl, CostOfFirst},
    {"getScheme", "U.:s", GetScheme},           {"getHost", "U.:s", GetHost},
    {"getHostname", "U.:s", GetHostname},       {"getPort", "U.:s", GetPort},
    {"getEscapedPath", "U.:s", GetEscapedPath}, {"getQuery", "U.:msls", GetQuery},
};

}  // namespace

FunctionTable UrlFunctions() { return kFunctions; }

}  // namespace stowage::cel
