// Pods that differ in one field: whoever reads a field has to say so.
#pragma once

#include <string_view>

#include "core/api/pod.h"

namespace stowage {

// A field of the pod, taken over from another pod.
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

// A field of the first entry of a list, where both pods have one.
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

inline constexpr Perturbation kPerturbations[] = {
    {"metadata.name", TakeMeta<&ObjectMeta::name>},
    {"metadata.namespace", TakeMeta<&ObjectMeta::namespace_>},
    {"metadata.uid", TakeMeta<&ObjectMeta::uid>},
    {"metadata.labels", TakeMeta<&ObjectMeta::labels>},
    {"metadata.annotations", TakeMeta<&ObjectMeta::annotations>},
    {"spec.nodeName", TakeSpec<&PodSpec::node_name>},
    {"spec.priority", TakeSpec<&PodSpec::priority>},
    {"spec.nodeSelector", TakeSpec<&PodSpec::node_selector>},
    {"spec.affinity", TakeSpec<&PodSpec::affinity>},
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
    {"spec.hostNetwork", TakeSpec<&PodSpec::host_network>},
    {"spec.hostUsers", TakeSpec<&PodSpec::host_users>},
    {"status", [](Pod& pod, const Pod& other) { pod.status = other.status; }},
};

}  // namespace stowage
