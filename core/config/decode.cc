#include "core/config/decode.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/api/decode/decode_json.h"
#include "core/base/format.h"
#include "core/config/config_schema.h"
#include "core/config/field_error_list.h"

namespace stowage {
namespace {

constexpr std::string_view kGroup = "kubescheduler.config.k8s.io";
// The Go variable in upstream's messages.
constexpr std::string_view kScheme =
    "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:29";

using Entry = ConfigurationError::Entry;
using Fault = std::optional<ConfigurationError>;

const DecodeOptions& Strict() {
  static const DecodeOptions kOptions = [] {
    DecodeOptions options;
    options.strict = true;
    return options;
  }();
  return kOptions;
}

bool IsArgsKind(std::string_view kind) {
  constexpr std::string_view kSuffix = "Args";
  if (kind.size() <= kSuffix.size() || !kind.ends_with(kSuffix)) return false;
  kind.remove_suffix(kSuffix.size());
  return !std::holds_alternative<std::monostate>(NewPluginArgs(kind));
}

bool IsRegistered(const Features& features, std::string_view api_version, std::string_view kind) {
  if (kind == DynamicResourcesArgs::kKind && !features.has_dynamic_resources_args) return false;
  return api_version == kConfigurationApiVersion &&
         (kind == kConfigurationKind || IsArgsKind(kind));
}

std::string NoKindText(std::string_view api_version, std::string_view kind) {
  return Format("no kind {} is registered for version {} in scheme {}", GoQuote(kind),
                GoQuote(api_version), GoQuote(kScheme));
}

// If the kind or version is missing, upstream prints the whole `text`.
Fault CheckKind(const Features& features, const ConfigurationDocument& document,
                std::string_view text) {
  if (document.kind.empty()) {
    return ConfigurationError::Of("kind", Format("Object 'Kind' is missing in '{}'", text));
  }
  if (document.api_version.empty()) {
    return ConfigurationError::Of("apiVersion",
                                  Format("Object 'apiVersion' is missing in '{}'", text));
  }
  if (!IsRegistered(features, document.api_version, document.kind)) {
    bool is_version = document.api_version != kConfigurationApiVersion;
    return ConfigurationError::Of(is_version ? "apiVersion" : "kind",
                                  NoKindText(document.api_version, document.kind));
  }
  if (document.kind != kConfigurationKind) {
    return ConfigurationError::Of(
        "kind", Format("couldn't decode as KubeSchedulerConfiguration, got {}, Kind={}: ",
                       document.api_version, document.kind));
  }
  return std::nullopt;
}

// The errors of values; one that hides apiVersion or kind is reported before these are checked.
Fault ValueFault(const DecodeReport& report) {
  if (report.syntax_error) {
    const SyntaxError& error = *report.syntax_error;
    return ConfigurationError::Of(
        "", Format("couldn't get version/kind; json parse error: line {} column {}: {}", error.line,
                   error.column, error.message));
  }
  if (report.field_errors.empty()) return std::nullopt;
  std::vector<Entry> entries;
  for (const FieldError& error : report.field_errors) {
    entries.push_back({error.field, error.message});
  }
  return ConfigurationError::Aggregate(std::move(entries));
}

bool HidesKind(const DecodeReport& report) {
  return report.syntax_error || std::any_of(report.field_errors.begin(), report.field_errors.end(),
                                            [](const FieldError& error) {
                                              return error.field.empty() || error.field == "kind" ||
                                                     error.field == "apiVersion";
                                            });
}

// The field in the quotes of a strict error.
std::string FieldOf(std::string_view strict_error) {
  size_t begin = strict_error.find('"');
  size_t end = strict_error.rfind('"');
  if (begin == end) return {};
  return std::string(strict_error.substr(begin + 1, end - begin - 1));
}

// Collects strict errors; any other error ends the decoding.
class Decoder {
 public:
  explicit Decoder(const Features& features) : features_(features) {}

  Result<KubeSchedulerConfiguration, ConfigurationError> Decode(std::string_view text) {
    ConfigurationDocument document;
    DecodeReport report = DecodeJson(text, Strict(), &document);
    if (HidesKind(report)) return *ValueFault(report);
    if (Fault fault = CheckKind(features_, document, text)) return *fault;
    if (Fault fault = ValueFault(report)) return *fault;
    for (const std::string& error : report.strict_errors) {
      strict_errors_.push_back({FieldOf(error), error});
    }
    KubeSchedulerConfiguration& configuration = document.configuration;
    for (size_t index = 0; index < document.profiles.size(); ++index) {
      if (Fault fault = AddProfile(document, index, &configuration)) return *fault;
    }
    if (!strict_errors_.empty()) return StrictError();
    return std::move(configuration);
  }

 private:
  Fault AddProfile(ConfigurationDocument& document, size_t index,
                   KubeSchedulerConfiguration* configuration) {
    ProfileDocument& written = document.profiles[index];
    KubeSchedulerProfile& profile = configuration->profiles.emplace_back();
    if (written.scheduler_name) {
      profile.scheduler_name = *written.scheduler_name;
    } else if (document.profiles.size() == 1) {
      profile.scheduler_name = kDefaultSchedulerName;
    }
    profile.percentage_of_nodes_to_score = written.percentage_of_nodes_to_score;
    profile.plugins = std::move(written.plugins);
    FieldPath path = FieldPath().Child("profiles").Index(index).Child("pluginConfig");
    for (size_t place = 0; place < written.plugin_config.size(); ++place) {
      PluginConfigDocument& config = written.plugin_config[place];
      PluginConfig& decoded = profile.plugin_config.emplace_back();
      decoded.name = config.name;
      if (Fault fault = DecodeArgs(path.Index(place), config, &decoded.args)) return fault;
    }
    return std::nullopt;
  }

  Fault DecodeArgs(const FieldPath& path, const PluginConfigDocument& config, PluginArgs* args) {
    *args = NewPluginArgs(config.name);
    if (!std::holds_alternative<std::monostate>(*args)) {
      bool has_type = features_.has_dynamic_resources_args ||
                      !std::holds_alternative<DynamicResourcesArgs>(*args);
      if (config.args.text.empty() || !has_type) return std::nullopt;
      return std::visit([&](auto& typed) { return DecodeTyped(path, config, &typed); }, *args);
    }
    if (!config.args.text.empty()) *args = config.args;
    return std::nullopt;
  }

  template <typename T>
  Fault DecodeTyped(const FieldPath& path, const PluginConfigDocument& config, T* args) {
    if constexpr (requires { T::kKind; }) {
      ArgsDocument<T> document;
      DecodeReport report = DecodeJson(config.args.text, Strict(), &document);
      if (Fault fault = ArgsFault(path, config.name, report, {document.api_version, document.kind},
                                  T::kKind)) {
        return fault;
      }
      *args = std::move(document.args);
    }
    return std::nullopt;
  }

  struct TypeMeta {
    std::string_view api_version;
    std::string_view kind;
  };

  // Upstream's order of errors in arguments: kind, values, another plugin's kind, strict errors.
  Fault ArgsFault(const FieldPath& path, std::string_view plugin, const DecodeReport& report,
                  TypeMeta meta, std::string_view kind) {
    FieldPath args = path.Child("args");
    std::string prefix = Format("decoding .{}: ", path.text());
    std::string args_prefix = Format("{}decoding args for plugin {}: ", prefix, plugin);
    if (HidesKind(report)) return Prefixed(*ValueFault(report), args, args_prefix);
    if (meta.kind.empty()) meta.kind = kind;
    if (meta.api_version.empty()) meta.api_version = kConfigurationApiVersion;
    if (!IsRegistered(features_, meta.api_version, meta.kind)) {
      return ConfigurationError::Of(args.text(),
                                    args_prefix + NoKindText(meta.api_version, meta.kind));
    }
    if (meta.kind != kind) {
      return ConfigurationError::Of(
          args.text(), Format("{}args for plugin {} were not of type {}.{}, got {}.{}", prefix,
                              plugin, kind, kGroup, meta.kind, kGroup));
    }
    if (Fault fault = ValueFault(report)) return Prefixed(*fault, args, args_prefix);
    if (report.strict_errors.empty()) return std::nullopt;
    strict_errors_.push_back({args.Child(FieldOf(report.strict_errors.front())).text(),
                              Format("{}strict decoding error: decoding args for plugin {}: {}",
                                     prefix, plugin, report.StrictErrorText())});
    return std::nullopt;
  }

  static ConfigurationError Prefixed(ConfigurationError error, const FieldPath& path,
                                     const std::string& prefix) {
    error.message = prefix + error.message;
    for (Entry& entry : error.errors) {
      entry.field = entry.field.empty() ? path.text() : path.Child(entry.field).text();
      entry.detail = prefix + entry.detail;
    }
    return error;
  }

  ConfigurationError StrictError() {
    ConfigurationError error;
    error.message = "strict decoding error: ";
    for (const Entry& entry : strict_errors_) {
      if (!error.errors.empty()) error.message += ", ";
      error.message += entry.detail;
      error.errors.push_back({entry.field, "strict decoding error: " + entry.detail});
    }
    return error;
  }

  const Features& features_;
  std::vector<Entry> strict_errors_;
};

}  // namespace

Result<KubeSchedulerConfiguration, ConfigurationError> DecodeConfiguration(
    std::string_view json, const Features& features) {
  if (json.empty()) return KubeSchedulerConfiguration();
  return Decoder(features).Decode(json);
}

}  // namespace stowage
