// OtherObject is an object of a kind of which only the metadata is read: its events matter, its
// content does not.
#pragma once

#include <memory>

#include "core/api/meta.h"
#include "core/api/object_kind.h"

namespace stowage {

struct OtherObject {
  ObjectKind kind = ObjectKind::kOther;
  Symbol api_version;  // "storage.k8s.io/v1"
  Symbol kind_name;    // "CSINode"
  Symbol resource;     // kOther: "foos.v1.example.com"; else empty
  // Only name, namespace, uid, resourceVersion, labels and deletionTimestamp.
  ObjectMeta metadata;
};

}  // namespace stowage
