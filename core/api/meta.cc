#include "core/api/meta.h"

namespace stowage {

ObjectMeta::ObjectMeta() = default;
ObjectMeta::ObjectMeta(const ObjectMeta&) = default;
ObjectMeta::ObjectMeta(ObjectMeta&&) noexcept = default;
ObjectMeta& ObjectMeta::operator=(const ObjectMeta&) = default;
ObjectMeta& ObjectMeta::operator=(ObjectMeta&&) noexcept = default;
ObjectMeta::~ObjectMeta() = default;

}  // namespace stowage
