// Explains a refusal of NodeResourcesFit: for each resource that the node lacks, the requested,
// allocatable, used and missing amounts, and the pods that use most of it.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/api/quantity.h"
#include "core/plugins/insufficient_resources.h"
#include "core/plugins/node_resources_fit.h"

namespace stowage {
namespace {

using Kind = InsufficientResource::Kind;

constexpr std::string_view kHugePagesPrefix = "hugepages-";

std::string_view NameOf(const InsufficientResource& one, const Resource& request) {
  switch (one.kind) {
    case Kind::kPods:
      return "pods";
    case Kind::kCpu:
      return "cpu";
    case Kind::kMemory:
      return "memory";
    case Kind::kEphemeralStorage:
      return "ephemeral-storage";
    case Kind::kScalar:
      return request.scalars[one.scalar].first.view();
  }
  CHECK(false);
}

// The amount of the resource in `amounts`; not for pods, which are counted differently.
int64_t AmountOf(const InsufficientResource& one, const Resource& request,
                 const Resource& amounts) {
  switch (one.kind) {
    case Kind::kPods:
      return amounts.allowed_pod_number;
    case Kind::kCpu:
      return amounts.milli_cpu;
    case Kind::kMemory:
      return amounts.memory;
    case Kind::kEphemeralStorage:
      return amounts.ephemeral_storage;
    case Kind::kScalar:
      return amounts.Scalar(request.scalars[one.scalar].first);
  }
  CHECK(false);
}

struct Amounts {
  int64_t asked;
  int64_t allocatable;
  int64_t taken;

  int64_t missing() const { return asked - (allocatable - taken); }
};

Amounts AmountsOf(const InsufficientResource& one, const Resource& request, const NodeRoom& room) {
  int64_t allocatable = AmountOf(one, request, room.allocatable);
  if (one.kind == Kind::kPods) return {1, allocatable, static_cast<int64_t>(room.num_pods)};
  return {AmountOf(one, request, request), allocatable, AmountOf(one, request, room.requested)};
}

std::string AmountText(const InsufficientResource& one, std::string_view name, int64_t amount) {
  if (one.kind == Kind::kCpu) return Quantity(amount, -3).ToString();
  bool is_binary = one.kind == Kind::kMemory || one.kind == Kind::kEphemeralStorage ||
                   name.starts_with(kHugePagesPrefix);
  auto format = is_binary ? Quantity::Format::kBinarySI : Quantity::Format::kDecimalSI;
  return Quantity(amount, 0, format).ToString();
}

// Writes the pods that use most, the largest first; equal ones in the node's order.
void WritePodsTakingMost(const InsufficientResource& one, const Resource& request,
                         const NodeInfo& node, JsonWriter* json) {
  std::vector<std::pair<int64_t, const Pod*>> pods;
  for (const PodInfoRef& info : node.pods()) {
    int64_t amount = AmountOf(one, request, info->requests);
    if (amount > 0) pods.emplace_back(amount, info->pod.get());
  }
  std::stable_sort(pods.begin(), pods.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (pods.size() > CulpritPlugin::kMaxPods) pods.resize(CulpritPlugin::kMaxPods);
  std::string_view name = NameOf(one, request);
  json->Key("pods").BeginArray();
  for (const auto& [amount, pod] : pods) {
    json->BeginObject().Key("pod");
    json->NamespacedName(pod->metadata.namespace_.view(), pod->metadata.name.view());
    json->StringMember("taken", AmountText(one, name, amount)).EndObject();
  }
  json->EndArray();
}

NodeRoom RoomOn(const NodeInfo& node) {
  return {node.allocatable(), node.requested(), node.pods().size()};
}

}  // namespace

void NodeResourcesFit::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  Resource request = FilteredRequestOf(refusal.pod);
  NodeRoom room = RoomOn(refusal.node);
  json->Key("resources").BeginArray();
  ForEachInsufficientResource(
      request, ServedScalarsOf(request), room, [&](const InsufficientResource& one) {
        Amounts amounts = AmountsOf(one, request, room);
        std::string_view name = NameOf(one, request);
        json->BeginObject().StringMember("resource", name);
        json->StringMember("asked", AmountText(one, name, amounts.asked));
        json->StringMember("allocatable", AmountText(one, name, amounts.allocatable));
        json->StringMember("taken", AmountText(one, name, amounts.taken));
        json->StringMember("missing", AmountText(one, name, amounts.missing()));
        if (one.kind != Kind::kPods) WritePodsTakingMost(one, request, refusal.node, json);
        json->EndObject();
      });
  json->EndArray();
}

int64_t NodeResourcesFit::Missing(const Refusal& refusal) const {
  Resource request = FilteredRequestOf(refusal.pod);
  NodeRoom room = RoomOn(refusal.node);
  int64_t sum = 0;
  ForEachInsufficientResource(
      request, ServedScalarsOf(request), room, [&](const InsufficientResource& one) {
        Amounts amounts = AmountsOf(one, request, room);
        double share = static_cast<double>(amounts.missing()) / static_cast<double>(amounts.asked);
        sum += static_cast<int64_t>(std::min(share, 1.0) * 1000);
      });
  return sum;
}

}  // namespace stowage
