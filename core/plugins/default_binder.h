// DefaultBinder binds a pod by posting a Binding to the pod's `binding` subresource. The Binding
// holds the pod's uid, so the server refuses it if the pod was deleted and created again under the
// same name.
// Counterpart: framework/plugins/defaultbinder, v1.36.
#pragma once

#include <string_view>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class DefaultBinder final : public Plugin, public BindPlugin {
 public:
  static constexpr std::string_view kName = "DefaultBinder";

  explicit DefaultBinder(const PluginContext& context) : handle_(context.handle) {}

  std::string_view Name() const override { return kName; }
  Task<Status> Bind(CycleState& state, const Pod& pod, const Symbol& node) override;

 private:
  Handle& handle_;
};

}  // namespace stowage
