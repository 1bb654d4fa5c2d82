#include "core/dra/device_refusals.h"

#include <algorithm>

namespace stowage {
namespace {

// The most different shortages that are kept, because each refusal looks for its own among them.
constexpr size_t kShortagesMax = 256;

constexpr int kNumRules = static_cast<int>(DeviceRule::kConstraint) + 1;

int OrderOf(const DeviceRefusals::Reason& reason) {
  return static_cast<int>(reason.rule) + (reason.is_together ? kNumRules : 0);
}

}  // namespace

void DeviceRefusals::Begin(const std::vector<ClaimRequests>& claims, const NodePools& pools) {
  claims_ = &claims;
  pools_ = &pools;
  first_.clear();
  for (const ClaimRequests& claim : claims) {
    size_t offset = first_.size();
    for (const DeviceRequestData& entry : claim.entries) first_.push_back(entry.number);
    for (const DeviceRequestRange& request : claim.requests) {
      size_t end = std::min(request.first + request.num, claim.entries.size());
      for (size_t at = request.first; at < end; ++at) first_[offset + at] = offset + request.first;
    }
  }
  reasons_.assign(first_.size() * pools.num_devices, Reason{DeviceRule::kNone});
  faults_.assign(first_.size(), {});
  shortages_.clear();
  last_tried_ = 0;
  is_survey_ = true;
}

void DeviceRefusals::Add(size_t entry, size_t device, const Reason& reason) {
  Reason& known = reasons_[entry * pools_->num_devices + device];
  if (!is_survey_) last_tried_ = std::max(last_tried_, entry);
  if (known.rule != DeviceRule::kNone) return;
  known = reason;
  known.is_together = !is_survey_;
}

void DeviceRefusals::SetFault(size_t entry, const std::string& message) {
  if (faults_[entry].empty()) faults_[entry] = message;
}

size_t DeviceRefusals::NumberOf(const DeviceShortage& shortage) {
  auto known = std::find(shortages_.begin(), shortages_.end(), shortage);
  if (known != shortages_.end()) return static_cast<size_t>(known - shortages_.begin()) + 1;
  if (shortages_.size() == kShortagesMax) return 0;
  shortages_.push_back(shortage);
  return shortages_.size();
}

const DeviceShortage* DeviceRefusals::ShortageOf(const Reason& reason) const {
  bool is_shortage = reason.rule == DeviceRule::kCapacity || reason.rule == DeviceRule::kCounters;
  return is_shortage && reason.index > 0 ? &shortages_[reason.index - 1] : nullptr;
}

// The search could serve the requests before the last one that it tried.
DeviceRefusals::Reason DeviceRefusals::ReasonOf(size_t entry, size_t device) const {
  const Reason& reason = reasons_[entry * pools_->num_devices + device];
  bool is_served = reason.is_together && first_[entry] != first_[last_tried_];
  return is_served ? Reason{DeviceRule::kNone} : reason;
}

std::vector<DeviceRefusals::Count> DeviceRefusals::CountsOf(size_t entry) const {
  std::vector<Count> by_index;
  size_t device = 0;
  for (size_t pool = 0; pool < pools_->pools.size(); ++pool) {
    for (size_t at = 0; at < pools_->pools[pool]->devices.size(); ++at, ++device) {
      Reason reason = ReasonOf(entry, device);
      if (reason.rule == DeviceRule::kNone) continue;
      auto known = std::find_if(by_index.begin(), by_index.end(), [&reason](const Count& count) {
        return OrderOf(count.reason) == OrderOf(reason) && count.reason.index == reason.index;
      });
      if (known == by_index.end()) known = by_index.insert(known, {reason, 0, {pool, at}});
      ++known->num_devices;
    }
  }
  std::vector<Count> counts;
  for (int order = 0; order < 2 * kNumRules; ++order) {
    const Count* most = nullptr;
    size_t num_devices = 0;
    for (const Count& count : by_index) {
      if (OrderOf(count.reason) != order) continue;
      num_devices += count.num_devices;
      if (most == nullptr || count.num_devices > most->num_devices) most = &count;
    }
    if (most != nullptr) counts.push_back({most->reason, num_devices, most->device});
  }
  return counts;
}

size_t DeviceRefusals::NumRefused(size_t entry, DeviceRule first, DeviceRule last) const {
  size_t num = 0;
  for (size_t device = 0; device < pools_->num_devices; ++device) {
    DeviceRule rule = ReasonOf(entry, device).rule;
    if (rule >= first && rule <= last) ++num;
  }
  return num;
}

size_t DeviceRefusals::NumMissing(const DeviceRequestData& entry) const {
  size_t num_left = NumLeft(entry.number);
  if (!entry.is_all) {
    auto wanted = static_cast<size_t>(std::max<int64_t>(entry.count, 0));
    return wanted > num_left ? wanted - num_left : 0;
  }
  // All devices are those that have the capacity.
  size_t num = NumRefused(entry.number, DeviceRule::kInUse, DeviceRule::kConstraint);
  return num_left == 0 && num == 0 ? 1 : num;
}

}  // namespace stowage
