#include "core/config/types.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace stowage {
namespace {

template <size_t... kIndexes>
PluginArgs NewArgsOfKind(std::string_view kind, std::index_sequence<kIndexes...>) {
  PluginArgs args;
  auto try_type = [&]<typename T>(std::type_identity<T>) {
    if constexpr (requires { T::kKind; }) {
      if (T::kKind == kind) args.emplace<T>();
    }
  };
  (try_type(std::type_identity<std::variant_alternative_t<kIndexes, PluginArgs>>()), ...);
  return args;
}

}  // namespace

PluginArgs NewPluginArgs(std::string_view name) {
  return NewArgsOfKind(std::string(name) + "Args",
                       std::make_index_sequence<std::variant_size_v<PluginArgs>>());
}

bool HasPlugin(const std::vector<PluginRef>& plugins, std::string_view name) {
  return std::any_of(plugins.begin(), plugins.end(),
                     [&](const PluginRef& plugin) { return plugin.name == name; });
}

const PluginArgs& KubeSchedulerProfile::ArgsOf(std::string_view plugin) const {
  static const PluginArgs kNone;
  for (const PluginConfig& config : plugin_config) {
    if (config.name == plugin) return config.args;
  }
  return kNone;
}

}  // namespace stowage
