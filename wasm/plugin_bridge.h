// PluginBridge carries calls to plugins that live outside the core, in JavaScript.
#pragma once

#include <string>
#include <string_view>

namespace stowage {

class PluginBridge {
 public:
  virtual ~PluginBridge() = default;
  // `request` and the answer are one JSON object each (wasm/js_plugin_host.h); the answer is empty
  // if there is nothing to report. Call never fails: errors of a plugin are answers too.
  virtual std::string Call(std::string_view request) = 0;
};

}  // namespace stowage
