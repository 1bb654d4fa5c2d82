// AllChanges is a seeded stream of changes of everything that the simulator serves: those of
// Changes, and Services, Namespaces, PodDisruptionBudgets, volumes, devices, and the pods that use
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/scheduler/engine.h"
#include "tests/core/scheduler/random_changes.h"

namespace stowage {

class AllChanges {
 public:
  explicit AllChanges(uint64_t seed) : changes_(seed), rng_(seed + 77) {}

  std::vector<std::string> Next() {
    std::vector<std::string> lines = changes_.Next();
    for (size_t count = rng_.Below(4); count > 0; --count) {
      std::string object = Object();
      lines.push_back(rng_.Below(5) == 0 ? Event("DELETED", object) : object);
    }
    return lines;
  }

 private:
  static std::string Made(std::string_view version, std::string_view kind,
                          const std::string& metadata, const std::string& members) {
    return R"({"apiVersion":")" + std::string(version) + R"(","kind":")" + std::string(kind) +
           R"(","metadata":{)" + metadata + "}" + NodeText::More(members) + "}";
  }
  // The members of metadata in namespace "default".
  static std::string In(const std::string& name) {
    return R"("namespace":"default","name":")" + name + R"(","uid":"uid-)" + name + "\"";
  }
  std::string Draw(std::string_view prefix, size_t bound) {
    return std::string(prefix) + std::to_string(rng_.Below(bound));
  }

  std::string Object() {
    switch (rng_.Below(13)) {
      case 0:
        return Made("v1", "Service", In(Draw("service-", 2)),
                    R"("spec":{"selector":{"app":")" + Draw("a", 3) + R"("}})");
      case 1:
        return Made("v1", "Namespace",
                    R"("name":"default","labels":{"team":")" + Draw("t", 2) + "\"}", "");
      case 2:
        return Made("policy/v1", "PodDisruptionBudget", In(Draw("budget-", 2)),
                    R"("spec":{"selector":{"matchLabels":{"app":")" + Draw("a", 3) +
                        R"("}}},"status":{"disruptionsAllowed":)" + Draw("", 2) + "}");
      case 3:
        return Made("storage.k8s.io/v1", "StorageClass", R"("name":"disk")",
                    R"("provisioner":"d","volumeBindingMode":"WaitForFirstConsumer")");
      case 4:
        return Made("v1", "PersistentVolumeClaim", In(Draw("claim-", 4)),
                    R"("spec":{"storageClassName":"disk","accessModes":["ReadWriteOnce"],)"
                    R"("resources":{"requests":{"storage":"1Gi"}}})");
      case 5:
        return Made("resource.k8s.io/v1", "DeviceClass", R"("name":"gpu")",
                    R"("spec":{"extendedResourceName":"example.com/gpu"})");
      case 6:
      case 7:
        return Slice();
      case 8:
        return Made("resource.k8s.io/v1", "ResourceClaimTemplate", In("template"),
                    R"("spec":{"spec":)" + Devices() + "}");
      case 9:
        return Made("resource.k8s.io/v1", "ResourceClaim", In(Draw("devices-", 3)),
                    R"("spec":)" + Devices());
      default:
        return Pod();
    }
  }

  std::string Devices() {
    return R"({"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu",)"
           R"("allocationMode":"ExactCount","count":1,"selectors":[{"cel":{"expression":)"
           R"("device.driver == \"d\""}}]}}]}})";
  }

  std::string Slice() {
    std::string node = Draw("n", kNodes);
    std::string devices = rng_.Below(2) == 0 ? R"({"name":"x"})" : R"({"name":"x"},{"name":"y"})";
    return Made("resource.k8s.io/v1", "ResourceSlice", R"("name":"slice-)" + node + "\"",
                R"("spec":{"driver":"d","nodeName":")" + node + R"(","pool":{"name":")" + node +
                    R"(","generation":1,"resourceSliceCount":1},"devices":[)" + devices + "]}");
  }

  std::string Pod() {
    return PodText{.name = Draw("p", kPods),
                   .priority = static_cast<int>(rng_.Below(3)) * 10,
                   .metadata = R"("labels":{"app":")" + Draw("a", 3) + R"("})",
                   .spec = Use()};
  }

  // What the pod uses: volumes, devices, other pods or the topology.
  std::string Use() {
    switch (rng_.Below(5)) {
      case 0:
        return R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":")" +
               Draw("claim-", 4) + R"("}}])";
      case 1:
        return R"("resourceClaims":[{"name":"g","resourceClaimName":")" + Draw("devices-", 3) +
               R"("}])";
      case 2:
        return R"("resourceClaims":[{"name":"g","resourceClaimTemplateName":"template"}])";
      case 3:
        return R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":)"
               R"("topology.kubernetes.io/zone","whenUnsatisfiable":"DoNotSchedule",)"
               R"("labelSelector":{"matchLabels":{"app":")" +
               Draw("a", 3) + R"("}}}])";
      default:
        return R"("affinity":{"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":)"
               R"([{"weight":9,"podAffinityTerm":{"topologyKey":"topology.kubernetes.io/zone",)"
               R"("namespaceSelector":{"matchLabels":{"team":")" +
               Draw("t", 2) + R"("}},"labelSelector":{"matchLabels":{"app":")" + Draw("a", 3) +
               R"("}}}}]}})";
    }
  }

  Changes changes_;
  Rng rng_;
};

}  // namespace stowage
