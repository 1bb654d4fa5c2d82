#include "core/dra/extended_resource_cache.h"

#include <string>

namespace stowage {
namespace {

Symbol ExplicitNameOf(const DeviceClass& one) {
  return one.spec.extended_resource_name.value_or(Symbol());
}

}  // namespace

Symbol ExtendedResourceCache::ImplicitNameOf(const DeviceClass& one) {
  return Symbol(std::string(kImplicitPrefix).append(one.metadata.name.view()));
}

// As in the reference, a class that loses the tie for its explicit name gets no implicit name
// either, and a class whose explicit name is its own already stays as it was.
void ExtendedResourceCache::Put(const DeviceClassRef& old_class, const DeviceClassRef& new_class) {
  ++version_;
  Symbol name = ExplicitNameOf(*new_class);
  if (auto found = classes_.find(name); !name.empty() && found != classes_.end()) {
    const ObjectMeta& holder = found->second->metadata;
    const ObjectMeta& metadata = new_class->metadata;
    if (metadata.creation_timestamp < holder.creation_timestamp) return;
    bool is_same_age = metadata.creation_timestamp == holder.creation_timestamp;
    if (is_same_age && !(metadata.name < holder.name)) return;
  }
  if (old_class != nullptr) Forget(*old_class);
  if (!name.empty()) classes_[name] = new_class;
  classes_[ImplicitNameOf(*new_class)] = new_class;
}

void ExtendedResourceCache::Remove(const DeviceClass& removed) {
  ++version_;
  Forget(removed);
}

// The explicit name may be another class's by now; the reference removes it all the same.
void ExtendedResourceCache::Forget(const DeviceClass& one) {
  classes_.erase(ExplicitNameOf(one));
  classes_.erase(ImplicitNameOf(one));
}

DeviceClassRef ExtendedResourceCache::GetDeviceClass(const Symbol& resource) const {
  auto found = classes_.find(resource);
  return found == classes_.end() ? nullptr : found->second;
}

}  // namespace stowage
