// MakePv and MakePvc build PersistentVolumes and claims for a test as JSON, because the scheduler
// writes the decoded text with its changes.
//
// `MakePv("pv-a").Zone("z1")` converts to PersistentVolume, `MakePvc("c")` to its claim.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/decode/source.h"
#include "tests/support/from_json.h"

namespace stowage {

using JsonPath = std::initializer_list<std::string_view>;

// The common part of volumes and claims. `Self` is the builder, `T` the built type.
template <typename Self, typename T, ObjectKind kKind>
class MakeFromJson {
 public:
  operator T() const { return FromJson<T>(kKind, json_); }  // NOLINT: implicit on purpose
  T Obj() const { return *this; }
  std::shared_ptr<const T> Ref() const { return std::make_shared<const T>(Obj()); }
  const std::string& json() const { return json_; }

  // Any member, as JSON or as a text; the empty text removes it.
  Self& Set(JsonPath path, std::string_view json) {
    SetJsonAt(path, json, &json_);
    return static_cast<Self&>(*this);
  }
  Self& Text(JsonPath path, std::string_view text) {
    SetStringAt(path, text, &json_);
    return static_cast<Self&>(*this);
  }

  Self& Version(std::string_view version) { return Text({"metadata", "resourceVersion"}, version); }
  Self& Label(std::string_view key, std::string_view value) {
    return Text({"metadata", "labels", key}, value);
  }
  Self& Annotation(std::string_view key, std::string_view value) {
    return Text({"metadata", "annotations", key}, value);
  }
  Self& ClassAnnotation(std::string_view name) {
    return Annotation("volume.beta.kubernetes.io/storage-class", name);
  }
  Self& Terminating() { return Text({"metadata", "deletionTimestamp"}, "2026-01-01T00:00:00Z"); }
  Self& Class(std::string_view name) { return Text({"spec", "storageClassName"}, name); }
  Self& Mode(std::string_view mode) { return Text({"spec", "volumeMode"}, mode); }
  Self& AttributesClass(std::string_view name) {
    return Set({"spec", "volumeAttributesClassName"}, '"' + std::string(name) + '"');
  }
  Self& Phase(std::string_view phase) { return Text({"status", "phase"}, phase); }

 protected:
  explicit MakeFromJson(std::string json) : json_(std::move(json)) {}

 private:
  std::string json_;
};

// 10Gi of the class "wait", at version 1, unclaimed and reachable from any node.
class MakePv final : public MakeFromJson<MakePv, PersistentVolume, ObjectKind::kPersistentVolume> {
 public:
  explicit MakePv(std::string_view name)
      : MakeFromJson(R"({"metadata":{"name":")" + std::string(name) +
                     R"(","resourceVersion":"1"},"spec":{"capacity":{"storage":"10Gi"},)"
                     R"("accessModes":["ReadWriteOnce"],"storageClassName":"wait"},)"
                     R"("status":{"phase":"Available"}})") {}

  MakePv& Capacity(std::string_view amount) {
    return Text({"spec", "capacity", "storage"}, amount);
  }
  // JSON of the node affinity's terms.
  MakePv& Terms(std::string_view terms) {
    return Set({"spec", "nodeAffinity", "required", "nodeSelectorTerms"}, terms);
  }
  MakePv& OnlyWhere(std::string_view key, std::string_view value) {
    return Terms(R"([{"matchExpressions":[{"key":")" + std::string(key) +
                 R"(","operator":"In","values":[")" + std::string(value) + R"("]}]}])");
  }
  MakePv& Zone(std::string_view zone) { return OnlyWhere("zone", zone); }
  // Reserved for a claim of the namespace "default".
  MakePv& For(std::string_view claim, std::string_view uid) {
    Text({"spec", "claimRef", "namespace"}, "default");
    Text({"spec", "claimRef", "name"}, claim);
    return Text({"spec", "claimRef", "uid"}, uid);
  }
};

// A claim for 10Gi of the class "wait", in the namespace "default", at version 1. Its uid is its
// name and "-uid".
class MakePvc final
    : public MakeFromJson<MakePvc, PersistentVolumeClaim, ObjectKind::kPersistentVolumeClaim> {
 public:
  explicit MakePvc(std::string_view name)
      : MakeFromJson(R"({"metadata":{"name":")" + std::string(name) +
                     R"(","namespace":"default","uid":")" + std::string(name) +
                     R"(-uid","resourceVersion":"1"},"spec":{"accessModes":["ReadWriteOnce"],)"
                     R"("resources":{"requests":{"storage":"10Gi"}},"storageClassName":"wait"},)"
                     R"("status":{"phase":"Pending"}})") {}

  MakePvc& Namespace(std::string_view name) { return Text({"metadata", "namespace"}, name); }
  MakePvc& Request(std::string_view amount) {
    return Text({"spec", "resources", "requests", "storage"}, amount);
  }
  MakePvc& Volume(std::string_view name) { return Text({"spec", "volumeName"}, name); }
  // The volume controller has completed the binding.
  MakePvc& Bound(std::string_view volume) {
    return Volume(volume).Annotation("pv.kubernetes.io/bind-completed", "yes").Phase("Bound");
  }
  MakePvc& SelectedNode(std::string_view node) {
    return Annotation("volume.kubernetes.io/selected-node", node);
  }
  // Created for the pod with that uid.
  MakePvc& OwnedBy(std::string_view uid) {
    return Set({"metadata", "ownerReferences"},
               R"([{"apiVersion":"v1","kind":"Pod","name":"p","uid":")" + std::string(uid) +
                   R"(","controller":true}])");
  }
};

}  // namespace stowage
