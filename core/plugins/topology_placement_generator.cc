#include "core/plugins/topology_placement_generator.h"

#include <map>
#include <utility>

#include "core/base/format.h"

namespace stowage {

Status TopologyPlacementGenerator::GeneratePlacements(const ObjectKey& group,
                                                      const Placement& parent,
                                                      std::vector<Placement>* placements) const {
  PodGroupRef object = handle_.listers().GetPodGroup(group.namespace_, group.name);
  if (object == nullptr) {
    return Status::Error(Format("podgroup.scheduling.k8s.io \"{}\" not found", group.name.view()));
  }
  const auto& constraints = object->spec.scheduling_constraints;
  if (!constraints || constraints->topology.empty()) {
    placements->push_back(parent);
    return Status::Success();
  }
  const Symbol& key = constraints->topology.front().key;
  Result<Symbol, std::string> required = DomainOfScheduledPods(group, key);
  if (!required.ok()) {
    return Status::Error(
        Format("cannot determine domain for already scheduled pods: {}", required.fault()));
  }
  std::map<Symbol, Placement> domains;
  for (const NodeInfo* node : parent.nodes) {
    const Symbol* domain = node->node()->metadata.labels.Find(key);
    if (domain == nullptr || (!required->empty() && *domain != *required)) continue;
    Placement& placement = domains[*domain];
    placement.name = *domain;
    placement.nodes.push_back(node);
  }
  for (auto& [name, placement] : domains) placements->push_back(std::move(placement));
  return Status::Success();
}

// Empty if no pod of the group is scheduled.
Result<Symbol, std::string> TopologyPlacementGenerator::DomainOfScheduledPods(
    const ObjectKey& group, const Symbol& key) const {
  std::map<Symbol, bool> domains;
  const PodGroupState* known = handle_.pod_groups().Get(group);
  if (known == nullptr) return Symbol();
  for (const auto& [uid, member] : known->members) {
    if (member.stage == PodGroupState::Stage::kUnscheduled) continue;
    const Pod& pod = *member.pod;
    std::string name = Format("{}/{}", pod.metadata.namespace_.view(), pod.metadata.name.view());
    const NodeInfo* node = handle_.snapshot().Get(pod.spec.node_name);
    if (node == nullptr) {
      return Format("getting node for pod {}: nodeinfo not found for node name \"{}\"", name,
                    pod.spec.node_name.view());
    }
    const Symbol* domain = node->node()->metadata.labels.Find(key);
    if (domain == nullptr) return Format("no topology domain found for pod {}", name);
    domains[*domain] = true;
  }
  if (domains.empty()) return Symbol();
  if (domains.size() == 1) return domains.begin()->first;
  std::vector<std::string_view> names;
  for (const auto& [domain, is_used] : domains) names.push_back(domain.view());
  return Format("more than 1 domain found for pod group: {}", Join(names, ", "));
}

}  // namespace stowage
