#include "core/scheduler/culprits.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/base/stable_sort.h"
#include "core/scheduler/explanation.h"

namespace stowage {
namespace {

// Nodes beyond this limit are only counted: explaining each reads the pods in its domains.
constexpr size_t kMaxNodes = 100;

struct RefusingNode {
  const NodeInfo* node;
  size_t num_plugins = 0;
  int64_t missing = 0;

  bool IsNearerThan(const RefusingNode& other) const {
    return std::tuple(num_plugins, missing, node->name()) <
           std::tuple(other.num_plugins, other.missing, other.node->name());
  }
};

std::vector<RefusingNode> RefusingNodes(const Framework& framework, const Pod& pod,
                                        const ScheduleResult& result) {
  std::vector<RefusingNode> nodes;
  const NodeToStatus& statuses = result.diagnosis.node_to_status;
  for (size_t row = 0; row < statuses.rows(); ++row) {
    if (!statuses.HasOwn(row)) continue;
    RefusingNode one{framework.snapshot().nodes()[row]};
    framework.ForEachRefusal(result.state, pod, *one.node,
                             [&one](const Refusal& refusal, const CulpritPlugin* culprit) {
                               ++one.num_plugins;
                               if (culprit != nullptr) one.missing += culprit->Missing(refusal);
                             });
    if (one.num_plugins > 0) nodes.push_back(one);
  }
  StableSort(&nodes,
             [](const RefusingNode& a, const RefusingNode& b) { return a.IsNearerThan(b); });
  return nodes;
}

}  // namespace

void WriteCulprits(const Framework& framework, const Pod& pod, const ScheduleResult& result,
                   JsonWriter* json) {
  std::vector<RefusingNode> nodes = RefusingNodes(framework, pod, result);
  size_t num_written = std::min(nodes.size(), kMaxNodes);
  json->Key("culprits").BeginArray();
  for (size_t index = 0; index < num_written; ++index) {
    framework.ForEachRefusal(result.state, pod, *nodes[index].node,
                             [json](const Refusal& refusal, const CulpritPlugin* culprit) {
                               json->BeginObject().StringMember("node", refusal.node.name().view());
                               json->StringMember("plugin", refusal.status.plugin().view());
                               WriteNames("reasons", refusal.status.reasons(), json);
                               if (culprit != nullptr) culprit->WriteCulprit(refusal, json);
                               json->EndObject();
                             });
  }
  json->EndArray();
  if (nodes.size() > num_written) json->IntMember("culpritsOmitted", nodes.size() - num_written);
}

}  // namespace stowage
