// Changes is a seeded stream of changes of a small cluster, as lines of batches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/scheduler/engine.h"

namespace stowage {

inline constexpr size_t kNodes = 12;
inline constexpr size_t kPods = 30;

inline std::vector<std::string> Names(std::string_view prefix, size_t count) {
  std::vector<std::string> names;
  for (size_t index = 0; index < count; ++index) {
    names.push_back(std::string(prefix) + std::to_string(index));
  }
  return names;
}

// Changes of a cluster with few names, so that they meet: nodes with zones and images, and pods
// with priorities, bound or not, some with anti-affinity.
class Changes {
 public:
  explicit Changes(uint64_t seed) : rng_(seed) {}

  std::vector<std::string> Next() {
    std::vector<std::string> lines;
    for (size_t count = rng_.Below(4); count > 0; --count) lines.push_back(Change());
    return lines;
  }

 private:
  std::string Change() {
    switch (rng_.Below(8)) {
      case 0:
        return Event("DELETED", Node());
      case 1:
      case 2:
        return Node();
      case 3:
        return Event("DELETED", PodText{.name = Draw("p", kPods)});
      default:
        return Pod();
    }
  }

  std::string Draw(std::string_view prefix, size_t bound) {
    return std::string(prefix) + std::to_string(rng_.Below(bound));
  }

  std::string Node() {
    return NodeText{
        .name = Draw("n", kNodes),
        .allocatable = R"("pods":"9","cpu":")" + Draw("1", 6) + "\"",
        .metadata = R"("labels":{"topology.kubernetes.io/zone":")" + Draw("z", 3) + R"("})",
        .status =
            R"("images":[{"names":[")" + Draw("image-", 3) + R"(:v1"],"sizeBytes":700000000}])"};
  }

  std::string Pod() {
    return PodText{.name = Draw("p", kPods),
                   .cpu = Draw("", 4),
                   .node = rng_.Below(2) == 0 ? Draw("n", kNodes) : "",
                   .priority = static_cast<int>(rng_.Below(3)) * 10,
                   .metadata = R"("labels":{"app":")" + Draw("a", 3) + R"("})",
                   .spec = R"("initContainers":[{"name":"i","image":")" + Draw("image-", 3) +
                           R"(:v1"}])" + AntiAffinity()};
  }

  std::string AntiAffinity() {
    if (rng_.Below(3) > 0) return "";
    return R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
           R"({"topologyKey":"topology.kubernetes.io/zone",)"
           R"("labelSelector":{"matchLabels":{"app":")" +
           Draw("a", 3) + R"("}}}]}})";
  }

  Rng rng_;
};

}  // namespace stowage
