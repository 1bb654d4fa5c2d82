// Creation options of a scheduler, apart from its configuration, and how they are read from JSON.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/base/result.h"
#include "core/config/features.h"
#include "core/extender/http_extender.h"
#include "core/runtime/tie_breaker.h"
#include "core/runtime/verdicts/verdict_cache.h"
#include "core/scheduler/record_log.h"

namespace stowage {

// The destination of writes to the API. simulated: the engine carries them out itself, at once
// (bound, evicted, nominated). host: the caller sends them, and its watch events report the
// outcome; until then pods are assumed.
enum class ApiMode : uint8_t { kSimulated, kHost };

// An event that a plugin outside the core registers for.
struct PluginEventDeclaration {
  std::string resource;                   // "Node", "storage.k8s.io/CSINode", "foos.v1.example.com"
  std::vector<std::string> action_types;  // "Add", "UpdateNodeLabel"
  bool has_hint = false;  // false: every such event moves the pods that the plugin rejected
};

// A plugin outside the core, and the methods that it has (js/README.md, "Plugins").
struct PluginDeclaration {
  std::string name;
  std::vector<std::string> methods;
  // nullopt: the plugin does not register any and receives every event.
  std::optional<std::vector<PluginEventDeclaration>> events;

  bool Has(std::string_view method) const {
    return std::find(methods.begin(), methods.end(), method) != methods.end();
  }
};

struct SchedulerOptions {
  KubernetesVersion kubernetes_version = kNewestVersion;
  Behaviour behaviour;  // of the release, with the facts that the options change
  FeatureGateMap feature_gates;
  uint64_t seed = 0;
  TieBreak tie_break = TieBreak::kHeap;
  ApiMode api = ApiMode::kSimulated;
  bool graceful_deletion = false;  // simulated victims stay as terminating pods
  bool simulate_volumes = true;    // the simulation binds claims to volumes at once
  bool simulate_claims = true;     // the simulation plays the controller of ResourceClaims
  bool has_node_detail = false;    // decision records list the nodes
  bool has_metrics = false;        // metrics are counted
  bool keeps_objects = false;      // keep the objects' original text, so that Inspect can return it
  bool keeps_batches = false;      // keep the applied objects, for Scheduler::ApplyAgain
  RecordOptions records;           // selects the optional records
  // API call timeout in microseconds; 0: none, as upstream.
  int64_t api_call_timeout_us = 0;
  // A bound pod that no watch event confirms expires after this time; 0: never, as in v1.36.
  int64_t assumed_pod_expiry_us = 0;
  // How often waiting PreBind plugins check what the watch delivered; kube-scheduler's 1 s.
  int64_t pre_bind_poll_interval_us = 1'000'000;
  int64_t pod_max_in_unschedulable_pods_us = int64_t{300} * 1'000'000;
  std::string hostname = "localhost";  // of this scheduler; appears in events
  Instant start_time;                  // the time before the first call
  DecodeLimits limits;
  VerdictCacheOptions verdict_cache;
  ExtenderQuirks extender_quirks;
  std::vector<PluginDeclaration> plugins;
};

// An invalid value of an option.
struct OptionError {
  std::string field;
  std::string message;  // names the field
};

// Reads the options object of the creation document:
// {"kubernetesVersion":"v1.36","behaviour":{fact:bool},"featureGates":{name:bool},"seed":0,
//  "tieBreak":"heap|name|random","api":"simulated|host",
//  "simulate":{"volumes":true,"gracefulDeletion":false},"detail":"summary|nodes|table",
//  "limits":{"objectBytes","depth","batchBytes"},
//  "verdictCache":"off|firstUse|secondUse|tiny|refill","startTimeUs":0,
//  "quirks":{"extenderNodesWithoutPods":true},
//  "plugins":[{"name":"","methods":[""],
//              "events":[{"resource":"","actionType":[""],"hint":false}]}],
//  "events":false,"moves":false,"metrics":false,"keepObjects":false,
//  "keepBatches":false,"apiCallTimeout":0,"assumedPodExpiry":0,
//  "preBindPollInterval":1000,"podMaxInUnschedulablePodsDuration":300000,
//  "hostname":"localhost"}
// Durations are in milliseconds. Unknown members are errors. verdictCache is for tests and
// measurements, since the cache may only change speed: off is the plain form, firstUse and
// secondUse select when a signature gets an entry, tiny keeps one entry at a time, and refill
// rebuilds an entry for every use.
Result<SchedulerOptions, OptionError> ReadSchedulerOptions(std::string_view json);

}  // namespace stowage
