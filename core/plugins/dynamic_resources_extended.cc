#include "core/plugins/dynamic_resources_extended.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/api/encode/json_writer.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/base/uuid.h"
#include "core/dra/claim_text.h"

namespace stowage {
namespace {

// A request of one container for one resource.
struct BuiltRequest {
  size_t container;  // its index among init containers and containers
  Symbol name;
  int64_t count;
};

class RequestBuilder {
 public:
  explicit RequestBuilder(const Pod& pod) {
    for (const Container& one : pod.spec.init_containers) containers_.push_back({&one, true});
    for (const Container& one : pod.spec.containers) containers_.push_back({&one, false});
  }

  void Build(const ServedResource& resource);
  SharedList<DeviceRequest> TakeRequests();
  SharedList<PodExtendedResourceRequestMapping> TakeMappings() { return std::move(mappings_); }

 private:
  struct Entry {
    const Container* container;
    bool is_init;

    bool IsLongLived() const { return !is_init || container->restart_policy == "Always"; }
  };
  using Mappings = std::vector<PodExtendedResourceRequestMapping>;

  std::optional<BuiltRequest> BuildOne(size_t index, const Symbol& resource,
                                       const std::vector<BuiltRequest>& reusable,
                                       Mappings* mappings) const;

  std::vector<Entry> containers_;
  std::vector<DeviceRequest> requests_;
  SharedList<PodExtendedResourceRequestMapping> mappings_;
};

// nullopt if the container requests none, or not a whole number.
std::optional<int64_t> AmountOf(const Container& container, const Symbol& resource) {
  const Quantity* quantity = container.resources.requests.Find(resource);
  if (quantity == nullptr || quantity->IsZero()) return std::nullopt;
  int64_t value = quantity->Value();
  if (quantity->Compare(Quantity(value)) != 0) return std::nullopt;
  return value;
}

DeviceRequest ExactRequest(const BuiltRequest& built, const Symbol& device_class) {
  static const Symbol kExactCount("ExactCount");
  DeviceRequest request;
  request.name = built.name;
  ExactDeviceRequest& exactly = request.exactly.emplace();
  exactly.device_class_name = device_class;
  exactly.allocation_mode = kExactCount;
  exactly.count = built.count;
  return request;
}

// A container's request of what `reusable` requests do not cover yet; nullopt if they cover it all.
std::optional<BuiltRequest> RequestBuilder::BuildOne(size_t index, const Symbol& resource,
                                                     const std::vector<BuiltRequest>& reusable,
                                                     Mappings* mappings) const {
  const Container& container = *containers_[index].container;
  std::optional<int64_t> amount = AmountOf(container, resource);
  if (!amount) return std::nullopt;
  int64_t covered = 0;
  for (const BuiltRequest& one : reusable) {
    covered += one.count;
    mappings->push_back({container.name, resource, one.name});
    if (covered >= *amount) return std::nullopt;
  }
  const ResourceList& all = container.resources.requests;  // sorted by name
  auto place = std::find_if(all.begin(), all.end(),
                            [&](const auto& entry) { return entry.first == resource; });
  Symbol name(Format("container-{}-request-{}", index, place - all.begin()));
  mappings->push_back({container.name, resource, name});
  return BuiltRequest{index, name, *amount - covered};
}

void RequestBuilder::Build(const ServedResource& resource) {
  Mappings mappings;
  std::vector<BuiltRequest> long_lived;
  for (size_t index = 0; index < containers_.size(); ++index) {
    if (!containers_[index].IsLongLived()) continue;
    auto built = BuildOne(index, resource.name, {}, &mappings);
    if (built) long_lived.push_back(*built);
  }
  // Of the short-lived containers, which run one after the other, the largest request serves all.
  Mappings short_mappings;
  std::optional<BuiltRequest> largest;
  std::vector<Symbol> short_names;
  for (size_t index = 0; index < containers_.size(); ++index) {
    if (containers_[index].IsLongLived()) continue;
    std::vector<BuiltRequest> reusable;
    std::copy_if(long_lived.begin(), long_lived.end(), std::back_inserter(reusable),
                 [index](const BuiltRequest& one) { return one.container >= index; });
    auto built = BuildOne(index, resource.name, reusable, &short_mappings);
    if (!built) continue;
    short_names.push_back(built->name);
    if (!largest || built->count > largest->count) largest = built;
  }
  for (PodExtendedResourceRequestMapping& mapping : short_mappings) {
    bool is_short = std::find(short_names.begin(), short_names.end(), mapping.request_name) !=
                    short_names.end();
    if (is_short) mapping.request_name = largest->name;
  }
  const Symbol& device_class = resource.device_class->metadata.name;
  if (largest) requests_.push_back(ExactRequest(*largest, device_class));
  for (const BuiltRequest& one : long_lived) requests_.push_back(ExactRequest(one, device_class));
  for (Mappings* list : {&mappings, &short_mappings}) {
    for (PodExtendedResourceRequestMapping& one : *list) mappings_.push_back(std::move(one));
  }
}

SharedList<DeviceRequest> RequestBuilder::TakeRequests() {
  StableSort(&requests_,
             [](const DeviceRequest& a, const DeviceRequest& b) { return a.name < b.name; });
  return std::move(requests_);
}

void WriteRequests(const SharedList<DeviceRequest>& requests, JsonWriter* json) {
  json->BeginObject().Key("devices").BeginObject();
  if (!requests.empty()) {
    json->Key("requests").BeginArray();
    for (const DeviceRequest& request : requests) {
      const ExactDeviceRequest& exactly = *request.exactly;
      json->BeginObject().StringMember("name", request.name.view());
      json->Key("exactly").BeginObject();
      json->StringMember("deviceClassName", exactly.device_class_name.view());
      json->StringMember("allocationMode", exactly.allocation_mode.view());
      json->IntMember("count", exactly.count).EndObject().EndObject();
    }
    json->EndArray();
  }
  json->EndObject().EndObject();
}

void SetText(ResourceClaim* claim) {
  const ObjectMeta& metadata = claim->metadata;
  const OwnerReference& owner = metadata.owner_references.front();
  std::string text;
  JsonWriter json(&text);
  json.BeginObject().StringMember("apiVersion", "resource.k8s.io/v1");
  json.StringMember("kind", "ResourceClaim").Key("metadata").BeginObject();
  json.StringMember("generateName", Format("{}-extended-resources-", owner.name.view()));
  json.StringMember("namespace", metadata.namespace_.view()).Key("annotations").BeginObject();
  for (const auto& [key, value] : metadata.annotations) json.StringMember(key.view(), value.view());
  json.EndObject().Key("ownerReferences").BeginArray().BeginObject();
  json.StringMember("apiVersion", owner.api_version.view());
  json.StringMember("kind", owner.kind.view()).StringMember("name", owner.name.view());
  json.StringMember("uid", owner.uid.view()).BoolMember("controller", owner.controller);
  json.EndObject().EndArray().EndObject().Key("spec");
  WriteRequests(claim->spec.devices.requests, &json);
  json.EndObject();
  claim->metadata.source = std::make_shared<const std::string>(std::move(text));
}

}  // namespace

ResourceClaimRef NewExtendedResourceClaim(const Pod& pod, uint32_t number) {
  auto claim = std::make_shared<ResourceClaim>();
  ObjectMeta& metadata = claim->metadata;
  metadata.name = Symbol(kExtendedResourcesName);
  metadata.namespace_ = pod.metadata.namespace_;
  std::string seed = Format("extended resources of {}", pod.metadata.uid.view());
  if (number > 0) seed += Format(" {}", number);
  metadata.uid = Symbol(UuidOf(seed));
  metadata.annotations.Set(ClaimWords::Get().extended_annotation, Symbol("true"));
  metadata.owner_references.push_back(
      {Symbol("v1"), Symbol("Pod"), pod.metadata.name, pod.metadata.uid, true});
  SetText(claim.get());
  return claim;
}

ExtendedClaimRef WithRequestsFor(std::vector<ServedResource> resources, const Pod& pod,
                                 const ResourceClaim& claim) {
  RequestBuilder builder(pod);
  for (const ServedResource& resource : resources) builder.Build(resource);
  auto with_requests = std::make_shared<ResourceClaim>(claim);
  with_requests->spec.devices.requests = builder.TakeRequests();
  SetText(with_requests.get());
  return std::make_shared<const ExtendedClaim>(
      ExtendedClaim{std::move(resources), std::move(with_requests), builder.TakeMappings()});
}

}  // namespace stowage
