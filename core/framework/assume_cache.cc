#include "core/framework/assume_cache.h"

#include "core/base/format.h"

namespace stowage {
namespace {

std::string KeyText(const ObjectKey& key) {
  if (key.namespace_.empty()) return key.name.str();
  return Format("{}/{}", key.namespace_.view(), key.name.view());
}

}  // namespace

std::string NotStoredMessage(std::string_view resource, const ObjectKey& key) {
  return Format("{} \"{}\" not found", resource, KeyText(key));
}

std::optional<std::string> AssumeFault(const ObjectMeta* stored, const ObjectMeta& assumed,
                                       std::string_view resource) {
  ObjectKey key = ObjectKey::Of(assumed);
  if (stored == nullptr) return NotStoredMessage(resource, key);
  if (stored->resource_version == assumed.resource_version) return std::nullopt;
  return Format("\"{}\" is out of sync (stored: {}, assume: {})", KeyText(key),
                stored->resource_version, assumed.resource_version);
}

}  // namespace stowage
