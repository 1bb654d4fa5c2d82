// What a scheduler is created with, beside its configuration, and how it is read from JSON.
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

// Who carries decisions out. simulated: the engine itself, at once (bound, evicted, nominated).
// host: the caller, whose watch events then say what became of them; until then pods are assumed.
enum class ApiMode : uint8_t { kSimulated, kHost };

// An event that a plugin which is not in-tree wants to hear of.
struct PluginEventDeclaration {
  std::string resource;                   // "Node", "storage.k8s.io/CSINode", "foos.v1.example.com"
  std::vector<std::string> action_types;  // "Add", "UpdateNodeLabel"
  bool has_hint = false;                  // else every such event moves the pods that it rejected
};

// A plugin that is not in-tree, and the methods that it has (js/README.md, "Plugins").
struct PluginDeclaration {
  std::string name;
  std::vector<std::string> methods;
  // nullopt: it does not say, and hears of everything.
  std::optional<std::vector<PluginEventDeclaration>> events;

  bool Has(std::string_view method) const {
    return std::find(methods.begin(), methods.end(), method) != methods.end();
  }
};

struct SchedulerOptions {
  FeatureGateMap feature_gates;
  uint64_t seed = 0;
  TieBreak tie_break = TieBreak::kHeap;
  ApiMode api = ApiMode::kSimulated;
  bool graceful_deletion = false;  // simulated victims stay, terminating
  bool simulate_volumes = true;    // simulated claims get their volumes at once
  bool has_node_detail = false;    // decisions say it node by node
  bool has_metrics = false;        // they are counted
  bool keeps_objects = false;      // as they came in, so that Inspect can give them back
  RecordOptions records;           // which other records are kept
  // After which nobody waits for an answer of the API server any more; 0: never, as upstream.
  int64_t api_call_timeout_us = 0;
  // After which a bound pod that no watch event confirms is forgotten; 0: never, as v1.36.
  int64_t assumed_pod_expiry_us = 0;
  // How often PreBind plugins that wait look at what the watch brought; kube-scheduler's 1 s.
  int64_t pre_bind_poll_interval_us = 1'000'000;
  int64_t pod_max_in_unschedulable_pods_us = int64_t{300} * 1'000'000;
  std::string hostname = "localhost";  // of this scheduler, in events
  Instant start_time;                  // the time before the first call
  DecodeLimits limits;
  VerdictCacheOptions verdict_cache;
  ExtenderQuirks extender_quirks;
  std::vector<PluginDeclaration> plugins;
};

// A value that an option does not take.
struct OptionError {
  std::string field;
  std::string message;  // with the field
};

// Reads the options object of the creation document:
// {"featureGates":{name:bool},"seed":0,"tieBreak":"heap|name|random","api":"simulated|host",
//  "simulate":{"volumes":true,"gracefulDeletion":false},"detail":"summary|nodes|table",
//  "limits":{"objectBytes","depth","batchBytes"},
//  "verdictCache":"off|firstUse|secondUse|tiny|refill","startTimeUs":0,
//  "quirks":{"extenderNodesWithoutPods":true},
//  "plugins":[{"name":"","methods":[""],
//              "events":[{"resource":"","actionType":[""],"hint":false}]}],
//  "events":false,"moves":false,"metrics":false,"keepObjects":false,"apiCallTimeout":0,
//  "assumedPodExpiry":0,
//  "preBindPollInterval":1000,"podMaxInUnschedulablePodsDuration":300000,
//  "hostname":"localhost"}: milliseconds
// Unknown members are errors. verdictCache is for tests and measurements, as it may change nothing
// but speed: off is the plain form, firstUse and secondUse say when a signature gets an entry, tiny
// keeps one entry at a time, refill makes an entry anew for every use.
Result<SchedulerOptions, OptionError> ReadSchedulerOptions(std::string_view json);

}  // namespace stowage
