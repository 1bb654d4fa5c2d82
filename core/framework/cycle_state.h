// CycleState holds the plugins' data during one scheduling cycle of one pod.
//
// The key is the C++ type of the data. Each plugin has its own types, so plugins cannot read each
// other's data. A clone (for preemption's dry runs and the pass with nominated pods) can be changed
// independently. Counterpart: framework.CycleState, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace stowage {

class StateData {
 public:
  virtual ~StateData() = default;
  virtual std::unique_ptr<StateData> Clone() const = 0;
};

// A set of plugins of a profile, by Framework's plugin index.
using PluginBits = uint64_t;

class CycleState {
 public:
  CycleState() = default;
  // For a cycle in which some plugins are not called at all. `derived`, unless null, holds what
  // plugins derived from the pod before; it must outlive this state or be removed by
  // ClearDerived.
  explicit CycleState(PluginBits skipped_plugins, const CycleState* derived = nullptr)
      : skip_filter_(skipped_plugins), skip_score_(skipped_plugins), derived_(derived) {}
  CycleState(CycleState&&) = default;
  CycleState& operator=(CycleState&&) = default;

  CycleState Clone() const {
    CycleState copy;
    for (const Entry& entry : entries_) {
      copy.entries_.push_back(
          {entry.key, entry.data == nullptr ? nullptr : entry.data->Clone(), entry.shared});
    }
    copy.skip_filter_ = skip_filter_;
    copy.skip_score_ = skip_score_;
    return copy;
  }

  // Adds or replaces data that clones share and that never changes.
  template <typename T>
  void Write(T value) {
    EntryFor(Key<T>()).shared = std::make_shared<const T>(std::move(value));
  }
  // Null if nothing was written.
  template <typename T>
  const T* Read() const {
    for (const Entry& entry : entries_) {
      if (entry.key == Key<T>()) return static_cast<const T*>(entry.shared.get());
    }
    return nullptr;
  }

  // For data that its plugin changes (AddPod, RemovePod); T derives from StateData.
  template <typename T>
  void WriteData(std::unique_ptr<T> data) {
    EntryFor(Key<T>()).data = std::move(data);
  }
  template <typename T>
  const T* ReadData() const {
    for (const Entry& entry : entries_) {
      if (entry.key == Key<T>()) return static_cast<const T*>(entry.data.get());
    }
    return nullptr;
  }
  template <typename T>
  T* MutableData() {
    return const_cast<T*>(std::as_const(*this).ReadData<T>());
  }
  // What an earlier cycle derived from a pod of the same signature; null if there is nothing.
  template <typename T>
  const T* Derived() const {
    return derived_ == nullptr ? nullptr : derived_->Read<T>();
  }
  void ClearDerived() { derived_ = nullptr; }

  // The data of type T, created by `make` on first use. Works on a const state too: T then caches
  // derived data that no decision depends on.
  template <typename T, typename Make>
  T& Lazily(const Make& make) const {
    if (ReadData<T>() == nullptr) entries_.push_back({Key<T>(), make(), nullptr});
    return *const_cast<T*>(ReadData<T>());
  }

  // The plugins that returned Skip in PreFilter or PreScore.
  void SkipFilter(size_t plugin) { skip_filter_ |= uint64_t{1} << plugin; }
  void SkipScore(size_t plugin) { skip_score_ |= uint64_t{1} << plugin; }
  bool SkipsFilter(size_t plugin) const { return (skip_filter_ >> plugin & 1) != 0; }
  PluginBits skipped_filters() const { return skip_filter_; }
  bool SkipsScore(size_t plugin) const { return (skip_score_ >> plugin & 1) != 0; }
  // The plugins that returned Skip in PreBindPreFlight.
  void SkipPreBind(size_t plugin) { skip_pre_bind_ |= uint64_t{1} << plugin; }
  // Whether the pod is placed together with its group, before any pod of it is bound.
  bool is_pod_group_cycle() const { return is_pod_group_cycle_; }
  void set_is_pod_group_cycle(bool is_one) { is_pod_group_cycle_ = is_one; }
  bool IsPreBindSkipped(size_t plugin) const { return (skip_pre_bind_ >> plugin & 1) != 0; }

 private:
  static constexpr size_t kFewEntries = 4;

  using TypeKey = const void*;
  struct Entry {
    TypeKey key;
    std::unique_ptr<StateData> data;
    std::shared_ptr<const void> shared;  // of Write
  };

  template <typename T>
  static TypeKey Key() {
    static const char tag = 0;
    return &tag;
  }

  Entry& EntryFor(TypeKey key) {
    for (Entry& entry : entries_) {
      if (entry.key == key) return entry;
    }
    if (entries_.empty()) entries_.reserve(kFewEntries);
    entries_.push_back({key, nullptr, nullptr});
    return entries_.back();
  }

  mutable std::vector<Entry> entries_;
  PluginBits skip_filter_ = 0;
  PluginBits skip_score_ = 0;
  PluginBits skip_pre_bind_ = 0;
  bool is_pod_group_cycle_ = false;
  const CycleState* derived_ = nullptr;
};

}  // namespace stowage
