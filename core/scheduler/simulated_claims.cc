#include "core/scheduler/simulated_claims.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/api/decode/envelope.h"
#include "core/api/decode/source.h"
#include "core/api/encode/json_writer.h"
#include "core/api/parse_int.h"
#include "core/base/format.h"
#include "core/base/sha256.h"
#include "core/base/uuid.h"
#include "core/dra/claim_text.h"
#include "core/plugins/dynamic_resources_claims.h"

namespace stowage {

namespace {

constexpr std::string_view kClaims = "/apis/resource.k8s.io/v1/namespaces/";
constexpr std::string_view kPodClaimName = "resource.kubernetes.io/pod-claim-name";
constexpr size_t kDepthMax = 64;

// Five letters as in generated names, which depend on `seed` only.
std::string SuffixOf(std::string_view seed) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  Sha256Digest digest = Sha256(seed);
  std::string suffix;
  for (size_t place = 0; place < 5; ++place) suffix += kLetters[digest[place] % kLetters.size()];
  return suffix;
}

ApiResponse NotFound(std::string_view name) {
  return {404, "NotFound", Format("resourceclaims.resource.k8s.io \"{}\" not found", name), {}};
}

ApiResponse Conflict(std::string_view name) {
  return {409,
          "Conflict",
          Format("Operation cannot be fulfilled on resourceclaims.resource.k8s.io \"{}\": the "
                 "object has been modified; please apply your changes to the latest version "
                 "and try again",
                 name),
          {}};
}

bool NamesTemplates(const Pod& pod) {
  return std::ranges::any_of(pod.spec.resource_claims, [](const PodResourceClaim& entry) {
    return !entry.resource_claim_template_name.empty();
  });
}

// The segments of a request's path: namespace, name and subresource, which may be empty.
struct ClaimPath {
  std::string_view namespace_;
  std::string_view name;
};

ClaimPath PathOf(std::string_view path) {
  path.remove_prefix(kClaims.size());
  ClaimPath parts;
  size_t end = path.find('/');
  parts.namespace_ = path.substr(0, end);
  path.remove_prefix(end + std::string_view("/resourceclaims").size());
  if (path.starts_with('/')) path.remove_prefix(1);
  parts.name = path.substr(0, path.find('/'));
  return parts;
}

}  // namespace

bool SimulatedClaims::Serves(const ApiRequest& request) {
  return request.path.starts_with(kClaims) &&
         request.path.find("/resourceclaims") != std::string::npos;
}

ResourceClaimRef SimulatedClaims::Get(const ObjectKey& key) const {
  std::optional<AnyObject> object = store_.Get(ObjectKind::kResourceClaim, key);
  return object ? object->Ref<ResourceClaim>() : nullptr;
}

void SimulatedClaims::Observe(const AnyObject& object) {
  std::optional<int64_t> version = ParseInt64(object.metadata().resource_version);
  if (version) latest_version_ = std::max(latest_version_, *version);
  bool may_complete =
      object.kind() == ObjectKind::kResourceClaimTemplate || object.kind() == ObjectKind::kPodGroup;
  if (may_complete) {
    changed_pods_.merge(waiting_pods_);
  } else if (const Pod* pod = object.Get<Pod>(); pod != nullptr && NamesTemplates(*pod)) {
    changed_pods_.insert(ObjectKey::Of(pod->metadata));
  }
}

void SimulatedClaims::OnPodRemoved(const Pod& pod) {
  bool has_claims =
      !pod.spec.resource_claims.empty() || pod.status.extended_resource_claim_status.has_value();
  if (has_claims) removed_pods_.push_back(pod);
}

void SimulatedClaims::OnPodGroupRemoved(const PodGroup& group) {
  removed_groups_.insert({group.metadata.namespace_, group.metadata.uid});
}

void SimulatedClaims::HandleChanges() {
  for (const Pod& pod : std::exchange(removed_pods_, {})) Release(pod);
  for (const ObjectKey& group : std::exchange(removed_groups_, {})) {
    for (const ObjectKey& key : store_.Keys(ObjectKind::kResourceClaim)) {
      if (key.namespace_ == group.namespace_) ReleaseClaim(key, group.name);
    }
  }
  for (const ObjectKey& key : std::exchange(changed_pods_, {})) {
    PodRef pod = store_.GetPod(key.namespace_, key.name);
    if (pod != nullptr) MakeClaims(*pod);
  }
}

std::string SimulatedClaims::Put(std::string text) {
  SetStringAt({"metadata", "resourceVersion"}, Format("{}", ++latest_version_), &text);
  ObjectDecoding decoding = DecodeObject(text, InfoOf(ObjectKind::kResourceClaim), kDepthMax);
  CHECK(decoding.object.has_value());
  watch_.OnObjectPut(std::move(*decoding.object));
  return text;
}

ApiResponse SimulatedClaims::Answer(const ApiRequest& request, Instant now) {
  ClaimPath path = PathOf(request.path);
  if (request.verb == "create") return Create(path.namespace_, request.body, now);
  ObjectKey key{Symbol(path.namespace_), Symbol(path.name)};
  ResourceClaimRef stored = Get(key);
  if (stored == nullptr) return NotFound(path.name);
  if (request.verb == "get") return {200, {}, {}, ClaimText(*stored)};
  if (request.verb == "patch") return RemoveReservation(*stored, request.body);
  if (request.verb != "delete") return Replace(*stored, request.body);
  watch_.OnObjectDeleted(AnyObject(stored));
  return {200, {}, {}, {}};
}

ApiResponse SimulatedClaims::Create(std::string_view namespace_, std::string text, Instant now) {
  std::optional<std::string> prefix =
      ReadJsonString(MemberText(text, {"metadata", "generateName"}));
  if (!prefix) return {422, "Invalid", "metadata.name: Required value", {}};
  std::string seed = Format("{}/{} {}", namespace_, *prefix, latest_version_ + 1);
  SetStringAt({"metadata", "name"}, *prefix + SuffixOf(seed), &text);
  SetStringAt({"metadata", "uid"}, UuidOf(seed), &text);
  SetStringAt({"metadata", "creationTimestamp"}, now.ToRfc3339(), &text);
  return {201, {}, {}, Put(std::move(text))};
}

ApiResponse SimulatedClaims::Replace(const ResourceClaim& stored, const std::string& text) {
  ResourceClaimRef sent = ClaimOfText(text);
  const ObjectMeta& metadata = stored.metadata;
  if (sent == nullptr) return {422, "Invalid", "the object is no ResourceClaim", {}};
  if (sent->metadata.resource_version != metadata.resource_version) {
    return Conflict(metadata.name.view());
  }
  return {200, {}, {}, Put(text)};
}

ApiResponse SimulatedClaims::RemoveReservation(const ResourceClaim& stored,
                                               std::string_view patch) {
  // The scheduler's patches have one entry.
  std::string_view entry = MemberText(patch, {"status", "reservedFor"});
  std::optional<std::string> uid = ReadJsonString(MemberText(entry, {"uid"}));
  if (!uid) return {422, "Invalid", "status.reservedFor: Invalid value", {}};
  auto changed = std::make_shared<ResourceClaim>(stored);
  stowage::RemoveReservation(Symbol(*uid), changed.get());
  return {200, {}, {}, Put(ClaimText(*changed))};
}

void SimulatedClaims::MakeClaims(const Pod& pod) {
  auto changed = std::make_shared<Pod>(pod);
  SharedList<PodResourceClaimStatus>& statuses = changed->status.resource_claim_statuses;
  bool is_changed = false;
  for (const PodResourceClaim& entry : pod.spec.resource_claims) {
    bool is_made = std::ranges::any_of(statuses, [&entry](const PodResourceClaimStatus& status) {
      return status.name == entry.name;
    });
    if (entry.resource_claim_template_name.empty() || is_made) continue;
    Symbol name;
    if (!MakeClaim(pod, entry, &name)) {
      waiting_pods_.insert(ObjectKey::Of(pod.metadata));
      continue;
    }
    statuses.push_back({entry.name, name});
    is_changed = true;
  }
  if (is_changed) pods_->PutPod(std::move(changed));
}

bool SimulatedClaims::MakeClaim(const Pod& pod, const PodResourceClaim& entry, Symbol* name) {
  PodGroupRef group;
  if (features_.dra_workload_resource_claims && pod.spec.scheduling_group) {
    group = store_.GetPodGroup(pod.metadata.namespace_, PodGroupNameOf(pod));
    if (group == nullptr) return false;
    if (!HasClaim(*group, entry)) group = nullptr;
  }
  const ObjectMeta& metadata = group != nullptr ? group->metadata : pod.metadata;
  std::optional<AnyObject> found =
      store_.Get(ObjectKind::kResourceClaimTemplate,
                 {metadata.namespace_, entry.resource_claim_template_name});
  if (!found || found->metadata().source == nullptr) return false;
  const std::string& source = *found->metadata().source;
  std::string prefix = Format("{}-{}-", metadata.name.view(), entry.name.view());
  std::string seed = Format("{} {}", metadata.uid.view(), prefix);
  std::string text;
  JsonWriter json(&text);
  json.BeginObject().StringMember("apiVersion", "resource.k8s.io/v1");
  json.StringMember("kind", "ResourceClaim").Key("metadata").BeginObject();
  *name = Symbol(prefix + SuffixOf(seed));
  if (group != nullptr && Get({metadata.namespace_, *name}) != nullptr) return true;
  json.StringMember("name", name->view()).StringMember("generateName", prefix);
  json.StringMember("namespace", metadata.namespace_.view()).StringMember("uid", UuidOf(seed));
  if (std::string_view labels = MemberText(source, {"spec", "metadata", "labels"});
      !labels.empty()) {
    json.Key("labels").Raw(labels);
  }
  json.Key("ownerReferences").BeginArray().BeginObject();
  json.StringMember("apiVersion", group != nullptr ? "scheduling.k8s.io/v1alpha2" : "v1");
  json.StringMember("kind", group != nullptr ? "PodGroup" : "Pod");
  json.StringMember("name", metadata.name.view());
  json.StringMember("uid", metadata.uid.view()).BoolMember("controller", true);
  json.BoolMember("blockOwnerDeletion", true).EndObject().EndArray().EndObject();
  std::string_view spec = MemberText(source, {"spec", "spec"});
  json.Key("spec").Raw(spec.empty() ? "{}" : spec).EndObject();
  if (std::string_view annotations = MemberText(source, {"spec", "metadata", "annotations"});
      !annotations.empty()) {
    SetJsonAt({"metadata", "annotations"}, annotations, &text);
  }
  SetStringAt({"metadata", "annotations", kPodClaimName}, entry.name.view(), &text);
  if (ClaimOfText(text) == nullptr) return false;
  Put(std::move(text));
  return true;
}

void SimulatedClaims::Release(const Pod& pod) {
  const Symbol& namespace_ = pod.metadata.namespace_;
  const Symbol& uid = pod.metadata.uid;
  for (const PodResourceClaim& entry : pod.spec.resource_claims) {
    if (!entry.resource_claim_name.empty()) {
      ReleaseClaim({namespace_, entry.resource_claim_name}, uid);
    }
  }
  for (const PodResourceClaimStatus& status : pod.status.resource_claim_statuses) {
    ReleaseClaim({namespace_, status.resource_claim_name}, uid);
  }
  if (const auto& extended = pod.status.extended_resource_claim_status) {
    ReleaseClaim({namespace_, extended->resource_claim_name}, uid);
  }
}

void SimulatedClaims::ReleaseClaim(const ObjectKey& key, const Symbol& consumer) {
  ResourceClaimRef claim = Get(key);
  if (claim == nullptr) return;
  bool is_owned = std::ranges::any_of(claim->metadata.owner_references,
                                      [&consumer](const OwnerReference& owner) {
                                        return owner.controller && owner.uid == consumer;
                                      });
  if (is_owned) return watch_.OnObjectDeleted(AnyObject(claim));
  if (!IsReservedFor(*claim, consumer)) return;
  auto changed = std::make_shared<ResourceClaim>(*claim);
  stowage::RemoveReservation(consumer, changed.get());
  if (changed->status.reserved_for.empty()) {
    Deallocate(changed.get());
    SetFinalizer(false, changed.get());
  }
  Put(ClaimText(*changed));
}

}  // namespace stowage
