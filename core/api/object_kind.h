// The kinds of objects that the scheduler reads (spec 01 §1).
#pragma once

#include <cstdint>
#include <utility>

#include "core/base/check.h"
#include "core/base/symbol.h"

namespace stowage {

// First the kinds that have a struct of their own, then those that are OtherObjects.
enum class ObjectKind : uint8_t {
  kPod,
  kNode,
  kNamespace,
  kService,
  kReplicationController,
  kReplicaSet,
  kStatefulSet,
  kPodDisruptionBudget,
  kPersistentVolume,
  kPersistentVolumeClaim,
  kStorageClass,
  kCsiNode,
  kCsiDriver,
  kCsiStorageCapacity,
  kVolumeAttachment,
  kResourceClaim,
  kResourceSlice,
  kDeviceClass,
  kDeviceTaintRule,
  kPodGroup,
  kResourceClaimTemplate,
  kOther,  // a registered kind without a value of its own, named by its resource
};

inline constexpr ObjectKind kFirstOtherKind = ObjectKind::kResourceClaimTemplate;

// Identifies objects that are listed and stored together: those of one kind, for kOther those of
// one resource.
struct KindKey {
  ObjectKind kind;
  Symbol resource;  // kOther: "foos.v1.example.com"; else empty

  KindKey(ObjectKind only_kind) : kind(only_kind) {  // NOLINT: implicit on purpose
    CHECK(kind != ObjectKind::kOther);
  }
  static KindKey Other(Symbol resource) { return KindKey(std::move(resource)); }

  friend bool operator==(const KindKey&, const KindKey&) = default;
  friend bool operator<(const KindKey& a, const KindKey& b) {
    return a.kind == b.kind ? a.resource < b.resource : a.kind < b.kind;
  }

 private:
  explicit KindKey(Symbol other) : kind(ObjectKind::kOther), resource(std::move(other)) {
    CHECK(!resource.empty());
  }
};

}  // namespace stowage
