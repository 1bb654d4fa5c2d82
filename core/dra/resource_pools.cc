#include "core/dra/resource_pools.h"

#include <algorithm>

#include "core/base/stable_sort.h"

namespace stowage {
namespace {

constexpr size_t kNodesMax = 50'000;
constexpr size_t kVariantsMax = 50'000;
constexpr size_t kVerdictsMax = 8'000'000;

// Whether the slice may serve other nodes than the one that it names.
bool ServesSeveralNodes(const PoolSlice& slice) {
  return slice.spec().node_name.empty() && !slice.has_counters();
}

bool HasNodeSelector(const PoolSlice& slice) {
  if (slice.spec().node_selector) return true;
  if (!slice.spec().per_device_node_selection) return false;
  const std::vector<Device>& devices = slice.spec().devices;
  return std::any_of(devices.begin(), devices.end(),
                     [](const Device& device) { return device.node_selector.has_value(); });
}

NodeSelector SelectNode(const Symbol& name) {
  NodeSelectorTerm term;
  term.match_fields.push_back({Symbol("metadata.name"), Symbol("In"), {name}});
  return {{std::move(term)}};
}

}  // namespace

void ResourcePools::Update() {
  if (version_ != slices_.version()) Rebuild();
}

// What is known of slices and pools that did not change stays.
void ResourcePools::Rebuild() {
  version_ = slices_.version();
  ++epoch_;
  foreign_.clear();
  of_several_nodes_.clear();
  of_node_.clear();
  // Kept to the end, so that no new slice has the address of an old one.
  std::map<Symbol, std::unique_ptr<PoolSlice>> old_slices = ReplaceSlices();
  ByPool old_groups = ReplaceGroups();
  FindPoolsOfNodes();
  FindSharedCounterTables();
  GatherForeignPools();
}

// Returns the slices that changed, or are gone.
std::map<Symbol, std::unique_ptr<PoolSlice>> ResourcePools::ReplaceSlices() {
  std::map<Symbol, std::unique_ptr<PoolSlice>> before;
  before.swap(pool_slices_);
  for (const auto& [name, slice] : slices_.All()) {
    auto known = before.find(name);
    bool is_same = known != before.end() && known->second->slice() == slice;
    pool_slices_.emplace_hint(
        pool_slices_.end(), name,
        is_same ? std::move(known->second) : std::make_unique<PoolSlice>(slice));
    if (is_same) before.erase(known);
  }
  return before;
}

// Returns the pools that changed, or are gone.
ResourcePools::ByPool ResourcePools::ReplaceGroups() {
  ByPool before;
  before.swap(by_pool_);
  reads_labels_ = false;
  num_verdicts_ = 0;
  for (const auto& [name, slice] : pool_slices_) {
    const ResourceSliceSpec& spec = slice->spec();
    by_pool_[{spec.driver, spec.pool.name}].slices.push_back(slice.get());
    if (HasNodeSelector(*slice)) reads_labels_ = true;
    num_verdicts_ += slice->num_expressions() * spec.devices.size();
  }
  num_variants_ = 0;
  for (auto& [id, of_pool] : by_pool_) {
    auto known = before.find(id);
    if (known == before.end() || known->second.slices != of_pool.slices) continue;
    of_pool.variants = std::move(known->second.variants);
    num_variants_ += of_pool.variants.size();
  }
  return before;
}

void ResourcePools::FindPoolsOfNodes() {
  for (auto& [id, of_pool] : by_pool_) {
    const PoolSlices& slices = of_pool.slices;
    of_pool.serves_several_nodes =
        std::any_of(slices.begin(), slices.end(),
                    [](const PoolSlice* slice) { return ServesSeveralNodes(*slice); });
    if (of_pool.serves_several_nodes) {
      of_several_nodes_.push_back(&of_pool);
      continue;
    }
    for (const PoolSlice* slice : slices) {
      if (slice->has_counters()) continue;
      std::vector<SlicesOfPool*>& of_node = of_node_[slice->spec().node_name];
      if (of_node.empty() || of_node.back() != &of_pool) of_node.push_back(&of_pool);
    }
  }
}

void ResourcePools::FindSharedCounterTables() {
  HashMap<Symbol, SlicesOfPool*, SymbolNumber> first;  // by name of the pool
  for (auto& [id, of_pool] : by_pool_) {
    of_pool.shares_counter_table = false;
    const PoolSlices& slices = of_pool.slices;
    if (std::none_of(slices.begin(), slices.end(),
                     [](const PoolSlice* slice) { return slice->has_counters(); })) {
      continue;
    }
    auto [name, other, is_first] = first.try_emplace(id.second, &of_pool);
    if (is_first) continue;
    other->shares_counter_table = true;
    of_pool.shares_counter_table = true;
  }
}

void ResourcePools::GatherForeignPools() {
  if (!is_partitionable_) return;
  for (auto& [id, of_pool] : by_pool_) {
    const PoolSlices& slices = of_pool.slices;
    bool has_counters = std::any_of(slices.begin(), slices.end(),
                                    [](const PoolSlice* slice) { return slice->has_counters(); });
    if (!has_counters || of_pool.serves_several_nodes) continue;
    Pool* pool = PoolFor(nullptr, &of_pool).Take();  // has no node selector that may be invalid
    if (pool != nullptr && (pool->is_incomplete || pool->is_invalid())) {
      foreign_.emplace_back(&of_pool, pool);
    }
  }
}

// Nodes and claims that are gone leave something behind, which is dropped with all the rest.
void ResourcePools::BoundMemory() {
  if (node_pools_.size() > kNodesMax) node_pools_.clear();
  if (num_variants_ > kVariantsMax) {
    by_pool_.clear();
    version_.reset();
  }
  if (num_verdicts_ > kVerdictsMax) {
    for (auto& [name, slice] : pool_slices_) slice->DropVerdicts();
    num_verdicts_ = 0;
    ++epoch_;
  }
}

PoolSlice::Verdicts& ResourcePools::VerdictsOf(const Symbol& expression, PoolSlice* slice) {
  size_t before = slice->num_expressions();
  PoolSlice::Verdicts& verdicts = slice->VerdictsOf(expression);
  if (slice->num_expressions() != before) num_verdicts_ += slice->spec().devices.size();
  return verdicts;
}

Result<Pool*, std::string> ResourcePools::PoolFor(const Node* node, SlicesOfPool* slices) {
  std::vector<bool> is_relevant;
  is_relevant.reserve(slices->slices.size());
  for (PoolSlice* slice : slices->slices) {
    auto relevant = IsRelevant(slice, node, is_partitionable_);
    if (!relevant.ok()) return relevant.fault();
    is_relevant.push_back(*relevant);
  }
  for (const Variant& variant : slices->variants) {
    if (variant.is_relevant == is_relevant) return variant.pool.get();
  }
  std::unique_ptr<Pool> pool = GatherPool(slices->slices, is_relevant, is_partitionable_);
  ++num_variants_;
  slices->variants.push_back({std::move(is_relevant), std::move(pool)});
  return slices->variants.back().pool.get();
}

Result<NodePools, std::string> ResourcePools::GatherAnew(const Node& node) {
  NodePools gathered;
  gathered.labels = node.metadata.labels;
  gathered.only_this_node = SelectNode(node.metadata.name);
  auto of_node = of_node_.find(node.metadata.name);
  std::vector<SlicesOfPool*> candidates;
  if (of_node != of_node_.end()) candidates = of_node->second;
  for (auto& [slices, pool] : foreign_) {
    bool has_slice = std::find(candidates.begin(), candidates.end(), slices) != candidates.end();
    if (!has_slice) gathered.pools.push_back(pool);
  }
  candidates.insert(candidates.end(), of_several_nodes_.begin(), of_several_nodes_.end());
  for (SlicesOfPool* slices : candidates) {
    auto pool = PoolFor(&node, slices);
    if (!pool.ok()) return pool.fault();
    if (*pool == nullptr) continue;
    gathered.pools.push_back(*pool);
  }
  StableSort(&gathered.pools, [](const Pool* a, const Pool* b) { return IsTriedBefore(*a, *b); });
  for (const Pool* pool : gathered.pools) {
    gathered.num_devices += pool->devices.size();
    gathered.has_invalid = gathered.has_invalid || pool->is_invalid();
  }
  gathered.of_slices = *version_;
  return gathered;
}

Result<const NodePools*, std::string> ResourcePools::Gather(const Node& node) {
  BoundMemory();
  Update();
  auto known = node_pools_.find(node.metadata.name);
  if (known != node_pools_.end() && IsValid(known->second, node)) return &known->second;
  auto gathered = GatherAnew(node);
  if (!gathered.ok()) return gathered.fault();
  NodePools& kept = node_pools_[node.metadata.name];
  kept = gathered.Take();
  return &kept;
}

bool ResourcePools::IsValid(const NodePools& pools, const Node& node) const {
  if (pools.of_slices != version_) return false;
  return !reads_labels_ || pools.labels == node.metadata.labels;
}

bool ResourcePools::AppendNodesOf(const PoolId& id, std::vector<Symbol>* nodes) {
  Update();
  auto found = by_pool_.find({id.driver, id.pool});
  if (found == by_pool_.end()) return true;
  const SlicesOfPool& of_pool = found->second;
  if (of_pool.serves_several_nodes || of_pool.shares_counter_table) return false;
  for (const PoolSlice* slice : of_pool.slices) {
    if (!slice->has_counters()) nodes->push_back(slice->spec().node_name);
  }
  return true;
}

}  // namespace stowage
