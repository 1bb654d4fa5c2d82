#include "wasm/surface.h"

#include <cmath>
#include <utility>

#include "core/api/encode/json_writer.h"

namespace stowage {
namespace {

// A handle is the slot's number in the low bits and the slot's generation above, always positive.
constexpr uint32_t kSlotBits = 16;
constexpr uint32_t kMaxSlots = 1u << kSlotBits;
constexpr uint32_t kMaxGeneration = (1u << (31 - kSlotBits)) - 1;

// The largest integer below which every microsecond is exact in a double.
constexpr double kMaxMicros = 9007199254740991.0;

bool IsTime(double now_us) { return std::fabs(now_us) <= kMaxMicros; }

Instant TimeOf(double now_us) { return Instant::FromMicros(static_cast<int64_t>(now_us)); }

// Options end with the first line; what follows is the body.
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

std::string_view Surface::Abi() { return R"({"abi":1,"stowage":"0.1.0","kubernetes":"v1.36"})"; }

std::span<uint8_t> Surface::Input(size_t size) {
  input_.resize(size);
  return {reinterpret_cast<uint8_t*>(input_.data()), input_.size()};
}

std::span<const uint8_t> Surface::Output() const {
  return {reinterpret_cast<const uint8_t*>(output_.data()), output_.size()};
}

std::string_view Surface::InputText(size_t size) const {
  return std::string_view(input_).substr(0, size);
}

Scheduler* Surface::Find(int32_t handle) {
  if (handle <= 0) return nullptr;
  auto bits = static_cast<uint32_t>(handle);
  uint32_t slot = bits % kMaxSlots;
  if (slot >= slots_.size() || slots_[slot].generation != bits / kMaxSlots) return nullptr;
  return slots_[slot].scheduler.get();
}

int32_t Surface::Create(size_t size, PluginBridge* bridge) {
  if (!HasInput(size) || bridge != nullptr) return kBadArgument;
  output_.clear();
  auto [options, configuration] = SplitLine(InputText(size));
  Result<std::unique_ptr<Scheduler>, Scheduler::CreationError> scheduler =
      Scheduler::New(options, configuration);
  if (!scheduler.ok()) {
    WriteCreationError(scheduler.fault(), &output_);
    return kFailed;
  }
  uint32_t slot = 0;
  while (slot < slots_.size() && slots_[slot].scheduler != nullptr) ++slot;
  if (slot == kMaxSlots) return kBadArgument;
  if (slot == slots_.size()) slots_.emplace_back();
  slots_[slot].scheduler = scheduler.Take();
  return static_cast<int32_t>(slots_[slot].generation * kMaxSlots + slot);
}

int32_t Surface::Destroy(int32_t handle) {
  if (Find(handle) == nullptr) return kStaleHandle;
  output_.clear();
  Slot& slot = slots_[static_cast<uint32_t>(handle) % kMaxSlots];
  slot.scheduler = nullptr;
  slot.generation = slot.generation == kMaxGeneration ? 1 : slot.generation + 1;
  return 0;
}

int32_t Surface::Apply(int32_t handle, double now_us, int32_t format, size_t size) {
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (!HasInput(size) || !IsTime(now_us) || (format != 0 && format != 1)) return kBadArgument;
  output_.clear();
  scheduler->Apply(TimeOf(now_us), InputText(size),
                   format == 0 ? BatchFormat::kDocument : BatchFormat::kLines, &output_);
  return Answer();
}

int32_t Surface::Run(int32_t handle, double now_us, int32_t max_cycles) {
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (max_cycles < 0 || !IsTime(now_us)) return kBadArgument;
  output_.clear();
  scheduler->Run(TimeOf(now_us), static_cast<size_t>(max_cycles), &output_);
  return Answer();
}

int32_t Surface::Evaluate(int32_t handle, double now_us, size_t size) {
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (!HasInput(size) || !IsTime(now_us)) return kBadArgument;
  output_.clear();
  auto [options, pod] = SplitLine(InputText(size));
  return scheduler->Evaluate(TimeOf(now_us), options, pod, &output_) ? Answer() : kFailed;
}

int32_t Surface::Inspect(int32_t handle, size_t size) {
  Scheduler* scheduler = Find(handle);
  if (scheduler == nullptr) return kStaleHandle;
  if (!HasInput(size)) return kBadArgument;
  output_.clear();
  return scheduler->Inspect(InputText(size), &output_) ? Answer() : kFailed;
}

}  // namespace stowage
