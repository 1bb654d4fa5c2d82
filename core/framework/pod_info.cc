#include "core/framework/pod_info.h"

#include <utility>

#include "core/api/pod_requests.h"
#include "core/config/features.h"

namespace stowage {

PodInfoRef MakePodInfo(PodRef pod, const Features& features) {
  PodResourcesOptions options;
  options.use_status = features.in_place_pod_vertical_scaling;
  options.in_place_pod_level = features.in_place_pod_level_resources_vertical_scaling;
  options.skip_pod_level = !features.pod_level_resources;
  NodeAccounting accounting = AccountPod(*pod, options);
  auto info = std::make_shared<PodInfo>();
  info->requests.Add(accounting.requests);
  info->non_zero_milli_cpu = accounting.non_zero_milli_cpu;
  info->non_zero_memory = accounting.non_zero_memory;
  info->host_ports = HostPorts(*pod);
  info->pod = std::move(pod);
  if (info->has_affinity()) {
    FieldErrors ignored;
    info->affinity_terms =
        std::make_shared<const AffinityTerms>(ParseAffinityTerms(*info->pod, &ignored));
  }
  return info;
}

PodInfoRef WithPod(const PodInfo& info, PodRef pod) {
  auto copy = std::make_shared<PodInfo>(info);
  copy->pod = std::move(pod);
  return copy;
}

}  // namespace stowage
