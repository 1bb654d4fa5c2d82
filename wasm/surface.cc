#include "wasm/surface.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/api/decode/decode_cache.h"
#include "core/api/decode/pod_texts.h"
#include "core/api/encode/json_writer.h"
#include "core/base/deferred_code.h"
#include "core/config/behaviour.h"
#include "wasm/js_plugin.h"

namespace stowage {
namespace {

// A handle has the slot's number in the low bits and the slot's generation above. It is always
// positive.
constexpr uint32_t kSlotBits = 16;
constexpr uint32_t kMaxSlots = 1u << kSlotBits;
constexpr uint32_t kMaxGeneration = (1u << (31 - kSlotBits)) - 1;

constexpr int32_t kBegin = 0;  // an action of Revert

// The largest integer up to which a double holds every microsecond exactly.
constexpr double kMaxMicros = 9007199254740991.0;

bool IsTime(double now_us) { return std::fabs(now_us) <= kMaxMicros; }

Instant TimeOf(double now_us) { return Instant::FromMicros(static_cast<int64_t>(now_us)); }

// The first line is the options; the rest is the body.
std::pair<std::string_view, std::string_view> SplitLine(std::string_view text) {
  size_t end = text.find('\n');
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end), text.substr(end + 1)};
}

void WriteCreationError(const Scheduler::CreationError& error, std::string* out) {
  JsonWriter json(out);
  json.BeginObject().StringMember("class", "ConfigurationError");
  json.StringMember("code", "InvalidConfiguration");
  if (const auto* option = std::get_if<OptionError>(&error); option != nullptr) {
    json.StringMember("message", option->message).Key("errors").BeginArray().BeginObject();
    json.StringMember("field", option->field).StringMember("detail", option->message).EndObject();
  } else {
    const auto& configuration = std::get<ConfigurationError>(error);
    json.StringMember("message", configuration.message).Key("errors").BeginArray();
    for (const ConfigurationError::Entry& entry : configuration.errors) {
      json.BeginObject().StringMember("field", entry.field).StringMember("detail", entry.detail);
      json.EndObject();
    }
  }
  json.EndArray().EndObject();
}

}  // namespace

std::string Surface::Abi() {
  std::string out;
  JsonWriter json(&out);
  json.BeginObject().Key("abi").Int(1).StringMember("stowage", "0.1.0");
  json.StringMember("kubernetes", VersionText(kNewestVersion));
  json.Key("releases").BeginArray();
  for (size_t index = 0; index < kKubernetesVersionCount; ++index) {
    auto version = static_cast<KubernetesVersion>(index);
    std::string_view patch = PatchText(version);
    json.BeginObject().StringMember("version", VersionText(version));
    if (!patch.empty()) json.StringMember("patch", patch);
    json.EndObject();
  }
  json.EndArray().Key("facts").BeginArray();
  for (const BehaviourRow& row : BehaviourTable()) {
    json.BeginObject().StringMember("name", row.name);
    json.StringMember("since", VersionText(row.since)).EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

// Records that JavaScript runs inside a call.
class Surface::GuardedBridge final : public PluginBridge {
 public:
  GuardedBridge(Surface& surface, std::unique_ptr<PluginBridge> bridge)
      : surface_(surface), bridge_(std::move(bridge)) {}

  std::string Call(std::string_view request) override {
    surface_.is_in_plugin_ = true;
    std::string answer = bridge_->Call(request);
    surface_.is_in_plugin_ = false;
    return answer;
  }

 private:
  Surface& surface_;
  std::unique_ptr<PluginBridge> bridge_;
};

std::span<uint8_t> Surface::Input(size_t size) {
  Buffers& own = buffers();
  if (own.input == nullptr || own.input_capacity < size) {
    own.input.reset();
    own.input_capacity = std::max(size, 2 * own.input_capacity);
    own.input.reset(new char[own.input_capacity]);
  }
  own.input_size = size;
  return {reinterpret_cast<uint8_t*>(own.input.get()), size};
}

std::span<const uint8_t> Surface::Output() const {
  const std::string& output = buffers().output;
  return {reinterpret_cast<const uint8_t*>(output.data()), output.size()};
}

std::string_view Surface::InputText(size_t size) const { return {buffers().input.get(), size}; }

std::string& Surface::ClearedOutput() {
  buffers().output.clear();
  return buffers().output;
}

int32_t Surface::Fail(std::string_view code, std::string_view message) {
  JsonWriter json(&ClearedOutput());
  json.BeginObject().StringMember("class", "StowageError");
  json.StringMember("code", code).StringMember("message", message).EndObject();
  return kFailed;
}

Scheduler* Surface::Find(int32_t handle) {
  if (handle <= 0) return nullptr;
  auto bits = static_cast<uint32_t>(handle);
  uint32_t slot = bits % kMaxSlots;
  if (slot >= slots_.size() || slots_[slot].generation != bits / kMaxSlots) return nullptr;
  return slots_[slot].scheduler.get();
}

Scheduler::PluginMaker Surface::PluginMakerOf(std::unique_ptr<PluginBridge> bridge) {
  if (bridge == nullptr) return nullptr;
  auto guarded = std::make_unique<GuardedBridge>(*this, std::move(bridge));
  return [host = std::make_shared<JsPluginHost>(std::move(guarded))](
             const PluginDeclaration& plugin) { return JsPlugin::EntryOf(host, plugin); };
}

int32_t Surface::Add(std::unique_ptr<Scheduler> scheduler) {
  uint32_t slot = 0;
  while (slot < slots_.size() && slots_[slot].scheduler != nullptr) ++slot;
  if (slot == kMaxSlots) return kBadArgument;
  if (slot == slots_.size()) slots_.emplace_back();
  slots_[slot].scheduler = std::move(scheduler);
  return static_cast<int32_t>(slots_[slot].generation * kMaxSlots + slot);
}

int32_t Surface::Create(size_t size, std::unique_ptr<PluginBridge> bridge) {
  if (is_in_plugin_) return kReentrant;
  if (!HasInput(size)) return kBadArgument;
  std::string& output = ClearedOutput();
  auto [options, configuration] = SplitLine(InputText(size));
  Result<std::unique_ptr<Scheduler>, Scheduler::CreationError> scheduler =
      Scheduler::New(options, configuration, PluginMakerOf(std::move(bridge)));
  if (!scheduler.ok()) {
    WriteCreationError(scheduler.fault(), &output);
    return kFailed;
  }
  return Add(scheduler.Take());
}

int32_t Surface::Fork(int32_t handle, std::unique_ptr<PluginBridge> bridge) {
  if (is_in_plugin_) return kReentrant;
  const Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (scheduler->has_declared_plugins() != (bridge != nullptr)) return kBadArgument;
  if (int32_t refusal = RefuseCopy(*scheduler); refusal != 0) return refusal;
  return Add(scheduler->Fork(PluginMakerOf(std::move(bridge))));
}

// A table, so that the compiler keeps the actions apart: they are deferred code.
int32_t Surface::Revert(int32_t handle, int32_t action) {
  static constexpr std::array kActions = {&Surface::BeginTransaction, &Surface::RevertTransaction,
                                          &Surface::CommitTransaction};
  if (is_in_plugin_) return kReentrant;
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  ClearedOutput();
  auto number = static_cast<size_t>(action);
  if (number >= kActions.size()) return kBadArgument;
  if (action == kBegin) {
    if (int32_t refusal = RefuseCopy(*scheduler); refusal != 0) return refusal;
  } else if (!scheduler->HasTransaction()) {
    return kBadArgument;
  }
  return (this->*kActions[number])(scheduler);
}

// Whether the scheduler's state cannot be copied now; 0 if it can.
int32_t Surface::RefuseCopy(const Scheduler& scheduler) {
  ClearedOutput();
  if (!scheduler.CanFork()) {
    return Fail("CycleInProgress",
                "a scheduling cycle waits for an answer: fork or begin when it has ended");
  }
  std::string fault = LoadDeferredCode();
  return fault.empty() ? 0 : Fail("LoadFailed", fault);
}

int32_t Surface::BeginTransaction(Scheduler* scheduler) {
  scheduler->Begin();
  return 0;
}

int32_t Surface::RevertTransaction(Scheduler* scheduler) {
  scheduler->Revert();
  return 0;
}

int32_t Surface::CommitTransaction(Scheduler* scheduler) {
  if (!scheduler->CanCommit()) {
    return Fail(
        "TasksUnderWay",
        "bindings or other tasks were under way when the transaction began, or a scheduling "
        "cycle waits for an answer: only a revert can end it");
  }
  scheduler->Commit();
  return 0;
}

int32_t Surface::Destroy(int32_t handle) {
  if (is_in_plugin_) return kReentrant;
  if (Find(handle) == nullptr) return kStaleHandle;
  ClearedOutput();
  Slot& slot = slots_[static_cast<uint32_t>(handle) % kMaxSlots];
  slot.scheduler = nullptr;
  slot.generation = slot.generation == kMaxGeneration ? 1 : slot.generation + 1;
  if (std::ranges::none_of(slots_, [](const Slot& other) { return other.scheduler != nullptr; })) {
    DecodeCache::ForgetAll();
    PodTexts::ForgetAll();
  }
  return 0;
}

int32_t Surface::Apply(int32_t handle, double now_us, int32_t format, size_t size) {
  if (is_in_plugin_) return kReentrant;
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (!HasInput(size) || !IsTime(now_us)) return kBadArgument;
  switch (format) {
    case kDocument:
      scheduler->Apply(TimeOf(now_us), InputText(size), BatchFormat::kDocument, &ClearedOutput());
      return Answer();
    case kLines:
      scheduler->Apply(TimeOf(now_us), InputText(size), BatchFormat::kLines, &ClearedOutput());
      return Answer();
    case kAgain:
      return ApplyAgain(scheduler, now_us, InputText(size));
    default:
      return kBadArgument;
  }
}

int32_t Surface::ApplyAgain(Scheduler* scheduler, double now_us, std::string_view origin) {
  int32_t handle = 0;
  const char* end = origin.data() + origin.size();
  if (std::from_chars(origin.data(), end, handle).ptr != end) return kBadArgument;
  const Scheduler* other = Find(handle);
  if (other == nullptr) return kStaleHandle;
  if (!scheduler->CanApplyAgain(*other)) return kBadArgument;
  scheduler->ApplyAgain(TimeOf(now_us), *other, &ClearedOutput());
  return Answer();
}

int32_t Surface::Run(int32_t handle, double now_us, int32_t max_cycles) {
  if (is_in_plugin_) return kReentrant;
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (max_cycles < 0 || !IsTime(now_us)) return kBadArgument;
  scheduler->Run(TimeOf(now_us), static_cast<size_t>(max_cycles), &ClearedOutput());
  return Answer();
}

int32_t Surface::Evaluate(int32_t handle, double now_us, size_t size) {
  if (is_in_plugin_) return kReentrant;
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (!HasInput(size) || !IsTime(now_us)) return kBadArgument;
  auto [options, pod] = SplitLine(InputText(size));
  return scheduler->Evaluate(TimeOf(now_us), options, pod, &ClearedOutput()) ? Answer() : kFailed;
}

int32_t Surface::Inspect(int32_t handle, size_t size) {
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (!HasInput(size)) return kBadArgument;
  return scheduler->Inspect(InputText(size), &ClearedOutput()) ? Answer() : kFailed;
}

}  // namespace stowage
