// Further kinds that the scheduler reads (spec 01 §4): Namespace, Service, ReplicationController,
// ReplicaSet, StatefulSet, PodDisruptionBudget.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/api/meta.h"

namespace stowage {

struct Namespace {
  ObjectMeta metadata;
};

// Service and ReplicationController select by a plain map; null if absent.
struct MapSelectorSpec {
  std::optional<LabelMap> selector;
};

struct Service {
  ObjectMeta metadata;
  MapSelectorSpec spec;
};

struct ReplicationController {
  ObjectMeta metadata;
  MapSelectorSpec spec;
};

struct LabelSelectorSpec {
  std::optional<LabelSelector> selector;
};

struct ReplicaSet {
  ObjectMeta metadata;
  LabelSelectorSpec spec;
};

struct StatefulSet {
  ObjectMeta metadata;
  LabelSelectorSpec spec;
};

struct PodDisruptionBudgetStatus {
  int32_t disruptions_allowed = 0;
  std::vector<Symbol> disrupted_pods;  // the keys of status.disruptedPods
};

struct PodDisruptionBudget {
  ObjectMeta metadata;
  LabelSelectorSpec spec;
  PodDisruptionBudgetStatus status;
};

using NamespaceRef = std::shared_ptr<const Namespace>;
using ServiceRef = std::shared_ptr<const Service>;
using ReplicationControllerRef = std::shared_ptr<const ReplicationController>;
using ReplicaSetRef = std::shared_ptr<const ReplicaSet>;
using StatefulSetRef = std::shared_ptr<const StatefulSet>;
using PodDisruptionBudgetRef = std::shared_ptr<const PodDisruptionBudget>;

}  // namespace stowage
