// What a scheduler is created with, beside its configuration, and how it is read from JSON.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/base/result.h"
#include "core/config/features.h"
#include "core/extender/http_extender.h"
#include "core/runtime/tie_breaker.h"
#include "core/runtime/verdict_cache.h"

namespace stowage {

// Who carries decisions out. simulated: the engine itself, at once (bound, evicted, nominated).
// host: the caller, whose watch events then say what became of them; until then pods are assumed.
enum class ApiMode : uint8_t { kSimulated, kHost };

// A plugin that is not in-tree, and the methods that it has (js/README.md, "Plugins").
struct PluginDeclaration {
  std::string name;
  std::vector<std::string> methods;

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
  bool has_node_detail = false;    // decisions say it node by node
  Instant start_time;              // the time before the first call
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
//  "simulate":{"gracefulDeletion":false},"detail":"summary|nodes|table",
//  "limits":{"objectBytes","depth","batchBytes"},"verdictCache":"off|firstUse|secondUse",
//  "startTimeUs":0,"quirks":{"extenderNodesWithoutPods":true},
//  "plugins":[{"name":"","methods":[""]}]}
// Unknown members are errors.
Result<SchedulerOptions, OptionError> ReadSchedulerOptions(std::string_view json);

}  // namespace stowage
