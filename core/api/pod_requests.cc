#include "core/api/pod_requests.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/pod_helpers.h"
#include "core/api/resource_names.h"

namespace stowage {
namespace {

struct Accounted {
  Symbol cpu{"cpu"};
  Symbol memory{"memory"};
  Quantity default_cpu{kDefaultMilliCpuRequest, -3};
  Quantity default_memory{kDefaultMemoryRequest, 0, Quantity::Format::kBinarySI};

  static const Accounted& Get() {
    static const Accounted* accounted = new Accounted;
    return *accounted;
  }
};

// Collects new names and merges them at the end: adding them one by one would take quadratic time.
void AddTo(ResourceList& sum, const ResourceList& list) {
  if (sum.empty()) {
    sum = list;
    return;
  }
  std::vector<ResourceList::Entry> added;
  for (const auto& [name, quantity] : list) {
    if (sum.Find(name) == nullptr) {
      added.emplace_back(name, quantity);
    } else {
      sum[name].Add(quantity);
    }
  }
  sum.SetAll(&added);
}

void RaiseTo(ResourceList& highest, const ResourceList& list) {
  std::vector<ResourceList::Entry> raised;
  for (const auto& [name, quantity] : list) {
    const Quantity* held = highest.Find(name);
    if (held == nullptr || quantity.Compare(*held) > 0) raised.emplace_back(name, quantity);
  }
  highest.SetAll(&raised);
}

// ResourceSums adds up the lists of containers. The sum of a single list shares that list. More
// than a few names are found by hash, because containers may have any number of names.
class ResourceSums {
 public:
  const Quantity* Find(const Symbol& name) {
    Open();
    size_t place = PlaceOf(name);
    return place == entries_.size() ? nullptr : &entries_[place].second;
  }
  void Add(const ResourceList& list) {
    if (only_.empty() && entries_.empty()) {
      only_ = list;
      return;
    }
    Open();
    for (const auto& [name, quantity] : list) {
      size_t place = PlaceOf(name);
      if (place == entries_.size()) {
        Append(name, quantity);
      } else {
        entries_[place].second.Add(quantity);
      }
    }
  }
  void Raise(const Symbol& name, const Quantity& quantity) {
    Open();
    size_t place = PlaceOf(name);
    if (place == entries_.size()) {
      Append(name, quantity);
    } else if (quantity.Compare(entries_[place].second) > 0) {
      entries_[place].second = quantity;
    }
  }
  void Raise(ResourceSums& other) {
    other.Open();
    for (const auto& [name, quantity] : other.entries_) Raise(name, quantity);
  }
  ResourceList Take() {
    only_.SetAll(&entries_);
    return std::move(only_);
  }

 private:
  static constexpr size_t kFewEntries = 16;

  void Open() {
    for (const auto& [name, quantity] : only_) Append(name, quantity);
    only_.clear();
  }
  // The index of the name's entry; the number of entries if the name is new.
  size_t PlaceOf(const Symbol& name) const {
    if (entries_.size() > kFewEntries) {
      auto known = places_.find(name);
      return known == places_.end() ? entries_.size() : known->second;
    }
    auto is_it = [&name](const ResourceList::Entry& entry) { return entry.first == name; };
    return static_cast<size_t>(std::find_if(entries_.begin(), entries_.end(), is_it) -
                               entries_.begin());
  }
  void Append(const Symbol& name, const Quantity& quantity) {
    entries_.emplace_back(name, quantity);
    if (entries_.size() <= kFewEntries) return;
    for (size_t place = places_.size(); place < entries_.size(); ++place) {
      places_.emplace(entries_[place].first, place);
    }
  }

  ResourceList only_;  // the sum as long as there are no entries
  std::vector<ResourceList::Entry> entries_;
  std::unordered_map<Symbol, size_t, SymbolHash> places_;  // used with more than a few names
};

// For equal names the last status counts, and init containers come after containers.
class StatusesByName {
 public:
  explicit StatusesByName(const Pod& pod) {
    auto has_resources = [](const ContainerStatus& status) { return status.resources.has_value(); };
    const auto& init = pod.status.init_container_statuses;
    const auto& main = pod.status.container_statuses;
    if (std::none_of(init.begin(), init.end(), has_resources) &&
        std::none_of(main.begin(), main.end(), has_resources)) {
      return;
    }
    for (const auto* statuses : {&init, &main}) {
      for (auto status = statuses->rbegin(); status != statuses->rend(); ++status) {
        by_name_.emplace(status->name, &*status);
      }
    }
  }

  // Also null if no status has resources.
  const ContainerStatus* Find(const Symbol& name) const {
    auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<Symbol, const ContainerStatus*, SymbolHash> by_name_;
};

// The maximum of the requests in spec, in use and allocated. An infeasible resize does not count.
ResourceList EffectiveRequests(const Pod& pod, const ResourceList& spec, const ResourceList& actual,
                               const ResourceList& allocated) {
  ResourceList requests;
  if (!IsPodResizeInfeasible(pod)) requests = spec;
  RaiseTo(requests, actual);
  RaiseTo(requests, allocated);
  return requests;
}

ResourceList ContainerRequests(const Pod& pod, const Container& container,
                               const StatusesByName* statuses, const ResourceList* non_missing) {
  const ContainerStatus* status = statuses == nullptr ? nullptr : statuses->Find(container.name);
  ResourceList requests = container.resources.requests;
  if (status != nullptr && status->resources) {
    requests = EffectiveRequests(pod, container.resources.requests, status->resources->requests,
                                 status->allocated_resources);
  }
  if (non_missing == nullptr) return requests;
  for (const auto& [name, quantity] : *non_missing) {
    if (requests.Find(name) == nullptr) requests[name] = quantity;
  }
  return requests;
}

// A sidecar's requests add to those of all containers that start after it. The maximum over init
// containers is updated only for the resources that each names, because the others have not grown
// since the last comparison.
ResourceList AggregateContainerRequests(const Pod& pod, const PodResourcesOptions& options) {
  const ResourceList* non_missing = options.non_missing_container_requests;
  std::optional<StatusesByName> by_name;
  if (options.use_status) by_name.emplace(pod);
  const StatusesByName* statuses = by_name ? &*by_name : nullptr;
  ResourceSums total;
  for (const Container& container : pod.spec.containers) {
    total.Add(ContainerRequests(pod, container, statuses, non_missing));
  }
  if (pod.spec.init_containers.empty()) return total.Take();
  ResourceSums sidecar_sum;
  ResourceSums init_max;
  for (const Container& container : pod.spec.init_containers) {
    bool is_sidecar = IsRestartableInitContainer(container);
    ResourceList use =
        ContainerRequests(pod, container, is_sidecar ? statuses : nullptr, non_missing);
    if (is_sidecar) {
      total.Add(use);
      sidecar_sum.Add(use);
    }
    for (const auto& [name, quantity] : use) {
      const Quantity* beside = sidecar_sum.Find(name);
      Quantity needed = is_sidecar ? *beside : quantity;
      if (!is_sidecar && beside != nullptr) needed.Add(*beside);
      init_max.Raise(name, needed);
    }
  }
  total.Raise(init_max);
  return total.Take();
}

// Replaces the aggregate instead of taking a maximum: pod-level requests may be smaller.
void ApplyPodLevelRequests(const Pod& pod, const PodResourcesOptions& options,
                           ResourceList& total) {
  const ResourceList& spec = pod.spec.resources->requests;
  bool is_in_place =
      options.in_place_pod_level && options.use_status && pod.status.resources.has_value();
  ResourceList effective;
  if (is_in_place) {
    effective = EffectiveRequests(pod, spec, pod.status.resources->requests,
                                  pod.status.allocated_resources);
  }
  for (const auto& [name, quantity] : spec) {
    if (!IsSupportedPodLevelResource(name.view())) continue;
    if (!is_in_place) {
      total[name] = quantity;
    } else {
      const Quantity* held = effective.Find(name);
      total[name] = held == nullptr ? Quantity() : *held;
    }
  }
}

// Whether defaults for cpu and memory would change nothing, whichever containers are counted.
bool MentionsCpuAndMemory(const Pod& pod) {
  const Accounted& accounted = Accounted::Get();
  auto mentions_both = [&](const Container& container) {
    const ResourceList& requests = container.resources.requests;
    return requests.Find(accounted.cpu) != nullptr && requests.Find(accounted.memory) != nullptr;
  };
  return !IsPodResizeInfeasible(pod) &&
         std::all_of(pod.spec.containers.begin(), pod.spec.containers.end(), mentions_both) &&
         std::all_of(pod.spec.init_containers.begin(), pod.spec.init_containers.end(),
                     mentions_both);
}

ResourceList RequestsWithDefaults(const Pod& pod, PodResourcesOptions options,
                                  const ResourceList& requests) {
  const Accounted& accounted = Accounted::Get();
  bool is_pod_level = !options.skip_pod_level && IsPodLevelRequestsSet(pod);
  ResourceList defaults;
  if (!is_pod_level || requests.Find(accounted.cpu) == nullptr) {
    defaults[accounted.cpu] = accounted.default_cpu;
  }
  if (!is_pod_level || requests.Find(accounted.memory) == nullptr) {
    defaults[accounted.memory] = accounted.default_memory;
  }
  options.non_missing_container_requests = &defaults;
  return PodRequests(pod, options);
}

}  // namespace

ResourceList PodRequests(const Pod& pod, const PodResourcesOptions& options) {
  ResourceList total = AggregateContainerRequests(pod, options);
  if (options.use_dra_node_allocatable) {
    for (const auto& status : pod.status.node_allocatable_resource_claim_statuses) {
      AddTo(total, status.resources);
    }
  }
  if (!options.skip_pod_level && IsPodLevelRequestsSet(pod)) {
    ApplyPodLevelRequests(pod, options, total);
  }
  AddTo(total, pod.spec.overhead);
  return total;
}

NodeAccounting AccountPod(const Pod& pod, const PodResourcesOptions& options) {
  PodResourcesOptions without_defaults = options;
  without_defaults.non_missing_container_requests = nullptr;
  NodeAccounting accounting;
  accounting.requests = PodRequests(pod, without_defaults);
  ResourceList with_defaults;
  const ResourceList* non_zero = &accounting.requests;
  if (!MentionsCpuAndMemory(pod)) {
    with_defaults = RequestsWithDefaults(pod, without_defaults, accounting.requests);
    non_zero = &with_defaults;
  }
  const Quantity* cpu = non_zero->Find(Accounted::Get().cpu);
  const Quantity* memory = non_zero->Find(Accounted::Get().memory);
  if (cpu != nullptr) accounting.non_zero_milli_cpu = cpu->MilliValue();
  if (memory != nullptr) accounting.non_zero_memory = memory->Value();
  return accounting;
}

bool IsSupportedPodLevelResource(std::string_view name) {
  return name == "cpu" || name == "memory" || IsHugePageResourceName(name);
}

bool IsPodLevelRequestsSet(const Pod& pod) {
  if (!pod.spec.resources) return false;
  const ResourceList& requests = pod.spec.resources->requests;
  return std::any_of(requests.begin(), requests.end(), [](const ResourceList::Entry& entry) {
    return IsSupportedPodLevelResource(entry.first.view());
  });
}

bool IsPodResizeInfeasible(const Pod& pod) {
  for (const PodCondition& condition : pod.status.conditions) {
    if (condition.type == "PodResizePending") return condition.reason == "Infeasible";
  }
  return false;
}

}  // namespace stowage
