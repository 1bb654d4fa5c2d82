#include "core/scheduler/culprits.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/base/stable_sort.h"
#include "core/scheduler/explanation.h"

namespace stowage {
namespace {

struct RefusingNode {
  const NodeInfo* node;
  bool is_excluded = false;  // by PreFilter
  size_t num_plugins = 0;
  int64_t missing = 0;

  bool IsNearerThan(const RefusingNode& other) const {
    return std::tuple(is_excluded, num_plugins, missing, node->name()) <
           std::tuple(other.is_excluded, other.num_plugins, other.missing, other.node->name());
  }
};

// Without detail only the nodes are refused that PreFilter keeps.
bool IsExcluded(const ScheduleResult& result, const Symbol& node) {
  if (!result.detail) return false;
  const auto& kept = result.detail->pre_filter.result.node_names;
  return kept && std::ranges::find(*kept, node) == kept->end();
}

// Plugins that together refuse some nodes.
struct RefusingPlugins {
  std::vector<Symbol> plugins;
  size_t num_nodes = 0;
};

std::vector<RefusingNode> RefusingNodes(const Framework& framework, const Pod& pod,
                                        const ScheduleResult& result,
                                        std::vector<RefusingPlugins>* combinations) {
  std::vector<RefusingNode> nodes;
  std::vector<Symbol> plugins;
  const NodeToStatus& statuses = result.diagnosis.node_to_status;
  for (size_t row = 0; row < statuses.rows(); ++row) {
    if (!statuses.HasOwn(row)) continue;
    RefusingNode one{framework.snapshot().nodes()[row]};
    one.is_excluded = IsExcluded(result, one.node->name());
    plugins.clear();
    framework.ForEachRefusal(result.state, pod, *one.node,
                             [&](const Refusal& refusal, const CulpritPlugin* culprit) {
                               plugins.push_back(refusal.status.plugin());
                               if (culprit != nullptr) one.missing += culprit->Missing(refusal);
                             });
    one.num_plugins = plugins.size();
    if (plugins.empty()) continue;
    nodes.push_back(one);
    auto known = std::ranges::find(*combinations, plugins, &RefusingPlugins::plugins);
    if (known == combinations->end()) known = combinations->insert(known, RefusingPlugins{plugins});
    ++known->num_nodes;
  }
  StableSort(&nodes,
             [](const RefusingNode& a, const RefusingNode& b) { return a.IsNearerThan(b); });
  return nodes;
}

}  // namespace

void WriteCulprits(const Framework& framework, const Pod& pod, const ScheduleResult& result,
                   size_t nodes_max, JsonWriter* json) {
  std::vector<RefusingPlugins> combinations;
  std::vector<RefusingNode> nodes = RefusingNodes(framework, pod, result, &combinations);
  size_t num_written = std::min(nodes.size(), nodes_max);
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
  json->Key("refusedBy").BeginArray();
  for (const auto& [plugins, num_nodes] : combinations) {
    json->BeginObject();
    WriteNames("plugins", plugins, json);
    json->IntMember("count", num_nodes).EndObject();
  }
  json->EndArray();
}

}  // namespace stowage
