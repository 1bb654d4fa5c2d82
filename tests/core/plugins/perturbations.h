// Pods that differ in one field: a plugin that reads a field must have it in its fragment.
#pragma once

#include <string_view>

#include "core/api/pod.h"

namespace stowage {

// Replaces a field of the pod with another pod's.
struct Perturbation {
  std::string_view name;
  void (*apply)(Pod& pod, const Pod& other);
};

template <auto Field>
void TakeMeta(Pod& pod, const Pod& other) {
  pod.metadata.*Field = other.metadata.*Field;
}

template <auto Field>
void TakeSpec(Pod& pod, const Pod& other) {
  pod.spec.*Field = other.spec.*Field;
}

// A field of the first entry of a list, if both pods have one.
template <auto List, auto Field>
void TakeFirst(Pod& pod, const Pod& other) {
  auto& to = (pod.spec.*List).Mutable();
  const auto& from = other.spec.*List;
  if (!to.empty() && !from.empty()) to.front().*Field = from.front().*Field;
}

// A field of the first port of the last container.
template <auto Field>
void TakePort(Pod& pod, const Pod& other) {
  if (pod.spec.containers.empty() || other.spec.containers.empty()) return;
  auto& to = pod.spec.containers.Mutable().back().ports;
  const auto& from = other.spec.containers.back().ports;
  if (!to.empty() && !from.empty()) to.front().*Field = from.front().*Field;
}

inline constexpr auto kTolerations = &PodSpec::tolerations;
inline constexpr auto kContainers = &PodSpec::containers;
inline constexpr auto kInitContainers = &PodSpec::init_containers;

// The number of fields of a PodSpec, listed below. This fails to compile when the struct gets
// another field: then the field needs a perturbation, which no plugin's author has to add.
inline size_t NumSpecFields(const PodSpec& spec) {
  [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = spec;
  return 20;
}

// Likewise for ObjectMeta, without source and shows_source, which are not fields of the object.
inline size_t NumMetaFields(const ObjectMeta& meta) {
  [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, source, shows_source] = meta;
  return 11;
}

inline constexpr Perturbation kPerturbations[] = {
    {"metadata.name", TakeMeta<&ObjectMeta::name>},
    {"metadata.namespace", TakeMeta<&ObjectMeta::namespace_>},
    {"metadata.uid", TakeMeta<&ObjectMeta::uid>},
    {"metadata.resourceVersion", TakeMeta<&ObjectMeta::resource_version>},
    {"metadata.generation", TakeMeta<&ObjectMeta::generation>},
    {"metadata.labels", TakeMeta<&ObjectMeta::labels>},
    {"metadata.annotations", TakeMeta<&ObjectMeta::annotations>},
    {"metadata.ownerReferences", TakeMeta<&ObjectMeta::owner_references>},
    {"metadata.finalizers", TakeMeta<&ObjectMeta::finalizers>},
    {"metadata.creationTimestamp", TakeMeta<&ObjectMeta::creation_timestamp>},
    {"metadata.deletionTimestamp", TakeMeta<&ObjectMeta::deletion_timestamp>},
    {"spec.nodeName", TakeSpec<&PodSpec::node_name>},
    {"spec.schedulerName", TakeSpec<&PodSpec::scheduler_name>},
    {"spec.priority", TakeSpec<&PodSpec::priority>},
    {"spec.priorityClassName", TakeSpec<&PodSpec::priority_class_name>},
    {"spec.preemptionPolicy", TakeSpec<&PodSpec::preemption_policy>},
    {"spec.nodeSelector", TakeSpec<&PodSpec::node_selector>},
    {"spec.affinity", TakeSpec<&PodSpec::affinity>},
    {"spec.topologySpreadConstraints", TakeSpec<&PodSpec::topology_spread_constraints>},
    {"spec.schedulingGates", TakeSpec<&PodSpec::scheduling_gates>},
    {"spec.tolerations", TakeSpec<kTolerations>},
    {"tolerations[0].key", TakeFirst<kTolerations, &Toleration::key>},
    {"tolerations[0].operator", TakeFirst<kTolerations, &Toleration::op>},
    {"tolerations[0].value", TakeFirst<kTolerations, &Toleration::value>},
    {"tolerations[0].effect", TakeFirst<kTolerations, &Toleration::effect>},
    {"spec.containers", TakeSpec<kContainers>},
    {"containers[0].image", TakeFirst<kContainers, &Container::image>},
    {"containers[0].resources", TakeFirst<kContainers, &Container::resources>},
    {"containers[0].ports", TakeFirst<kContainers, &Container::ports>},
    {"ports[0].hostPort", TakePort<&ContainerPort::host_port>},
    {"ports[0].protocol", TakePort<&ContainerPort::protocol>},
    {"ports[0].hostIP", TakePort<&ContainerPort::host_ip>},
    {"spec.initContainers", TakeSpec<kInitContainers>},
    {"initContainers[0].image", TakeFirst<kInitContainers, &Container::image>},
    {"initContainers[0].resources", TakeFirst<kInitContainers, &Container::resources>},
    {"initContainers[0].ports", TakeFirst<kInitContainers, &Container::ports>},
    {"initContainers[0].restartPolicy", TakeFirst<kInitContainers, &Container::restart_policy>},
    {"initContainers[0].restartPolicyRules",
     TakeFirst<kInitContainers, &Container::restart_policy_rules>},
    {"spec.resources", TakeSpec<&PodSpec::resources>},
    {"spec.overhead", TakeSpec<&PodSpec::overhead>},
    {"spec.volumes", TakeSpec<&PodSpec::volumes>},
    {"spec.resourceClaims", TakeSpec<&PodSpec::resource_claims>},
    {"spec.schedulingGroup", TakeSpec<&PodSpec::scheduling_group>},
    {"spec.os", TakeSpec<&PodSpec::os>},
    {"spec.hostNetwork", TakeSpec<&PodSpec::host_network>},
    {"spec.hostUsers", TakeSpec<&PodSpec::host_users>},
    {"status", [](Pod& pod, const Pod& other) { pod.status = other.status; }},
};

}  // namespace stowage
