#include "core/dra/allocation_search.h"

namespace stowage {

AllocationSearch::Outcome AllocationSearch::Run(const std::vector<ClaimRequests>& claims,
                                                const NodePools& pools,
                                                const AllDevices& all_devices, StepBudget* steps) {
  claims_ = &claims;
  pools_ = &pools;
  all_devices_ = &all_devices;
  steps_ = steps;
  frames_.clear();
  next_ = Target();
  Step step = Enter();
  while (step == Step::kDown || !frames_.empty()) {
    if (step == Step::kDown) {
      step = Enter();
      continue;
    }
    // The frames of what was found name the alternatives.
    if (outcome_ != Outcome::kNotFound && outcome_ != Outcome::kTooMany) return outcome_;
    switch (frames_.back().kind) {
      case Frame::Kind::kNextClaim:
        step = ResumeNextClaim();
        break;
      case Frame::Kind::kAlternatives:
        step = ResumeAlternatives();
        break;
      case Frame::Kind::kOneOfAll:
        step = ResumeOneOfAll();
        break;
      case Frame::Kind::kOne:
        step = ResumeOne();
        break;
    }
  }
  return outcome_;
}

size_t AllocationSearch::AlternativeOf(size_t claim, size_t request) const {
  for (const Frame& frame : frames_) {
    if (frame.kind == Frame::Kind::kAlternatives && frame.target.claim == claim &&
        frame.target.request == request) {
      return frame.target.alternative;
    }
  }
  return 0;
}

AllocationSearch::Step AllocationSearch::Up(Outcome outcome) {
  outcome_ = outcome;
  return Step::kUp;
}

AllocationSearch::Step AllocationSearch::PopUp(Outcome outcome) {
  frames_.pop_back();
  return Up(outcome);
}

AllocationSearch::Step AllocationSearch::Fault(const std::string& fault) {
  fault_ = fault;
  return Up(Outcome::kFault);
}

// Begins with the target.
AllocationSearch::Step AllocationSearch::Enter() {
  if (!steps_->Spend(1)) return Up(Outcome::kExhausted);
  Target& target = next_;
  if (target.claim == claims_->size()) return Up(Outcome::kFound);
  if (target.request == (*claims_)[target.claim].requests.size()) {
    frames_.push_back({Frame::Kind::kNextClaim, target, {}});
    next_ = Target();
    next_.claim = frames_.back().target.claim + 1;
    return Step::kDown;
  }
  if (RangeOf(target).has_alternatives && !target.is_alternative) {
    frames_.push_back({Frame::Kind::kAlternatives, target, {}});
    target.is_alternative = true;
    return Step::kDown;
  }
  return EnterRequest();
}

AllocationSearch::Step AllocationSearch::EnterRequest() {
  Target& target = next_;
  const DeviceRequestData& request = EntryOf(target);
  const std::vector<DevicePlace>& all = (*all_devices_)[request.number];
  if (request.is_all && all.empty()) return Up(Outcome::kNotFound);
  int64_t num_devices = request.is_all ? static_cast<int64_t>(all.size()) : request.count;
  if (target.device >= num_devices) {
    size_t claim = target.claim;
    size_t following = target.request + 1;
    target = Target();
    target.claim = claim;
    target.request = following;
    return Step::kDown;
  }
  auto num_chosen = static_cast<int64_t>(chosen_.OfClaim(target.claim).size());
  if (num_devices - target.device > kDevicesPerClaimMax - num_chosen) {
    return Up(Outcome::kTooMany);
  }
  if (!request.is_all) {
    // The devices of a request are a combination, so the next one comes after the last one.
    DevicePlace start;
    if (target.device > 0) {
      start = chosen_.OfClaim(target.claim).back().place;
      ++start.device;
    }
    frames_.push_back({Frame::Kind::kOne, target, start});
    return TryDevices();
  }
  const DevicePlace& place = all[static_cast<size_t>(target.device)];
  switch (chosen_.ChooseFromAll(target.claim, request, place)) {
    case TentativeAllocation::Outcome::kRefused:
      return Up(Outcome::kNotFound);
    case TentativeAllocation::Outcome::kFault:
      return Fault(chosen_.fault());
    case TentativeAllocation::Outcome::kChosen:
      break;
  }
  frames_.push_back({Frame::Kind::kOneOfAll, target, place});
  ++target.device;
  return Step::kDown;
}

// A later claim that needs too many devices may need fewer after other choices for this one.
AllocationSearch::Step AllocationSearch::ResumeNextClaim() { return PopUp(Outcome::kNotFound); }

AllocationSearch::Step AllocationSearch::ResumeAlternatives() {
  Frame& frame = frames_.back();
  if (outcome_ != Outcome::kTooMany) frame.all_too_many = false;
  if (++frame.target.alternative == RangeOf(frame.target).num) {
    return PopUp(frame.all_too_many ? Outcome::kTooMany : Outcome::kNotFound);
  }
  next_ = frame.target;
  next_.is_alternative = true;
  return Step::kDown;
}

AllocationSearch::Step AllocationSearch::ResumeOneOfAll() {
  chosen_.Undo(frames_.back().target.claim);
  return PopUp(outcome_);
}

AllocationSearch::Step AllocationSearch::ResumeOne() {
  Frame& frame = frames_.back();
  chosen_.Undo(frame.target.claim);
  if (outcome_ == Outcome::kTooMany) return PopUp(outcome_);
  ++frame.place.device;
  return TryDevices();
}

// Tries the devices from the frame's place on.
AllocationSearch::Step AllocationSearch::TryDevices() {
  Frame& frame = frames_.back();
  DevicePlace& place = frame.place;
  for (; place.pool < pools_->pools.size(); ++place.pool, place.device = 0) {
    for (; place.device < pools_->pools[place.pool]->devices.size(); ++place.device) {
      if (!steps_->Spend(1)) return Up(Outcome::kExhausted);
      switch (TryDevice(frame)) {
        case TentativeAllocation::Outcome::kRefused:
          continue;
        case TentativeAllocation::Outcome::kFault:
          return Fault(selection_.fault());
        case TentativeAllocation::Outcome::kChosen:
          next_ = frame.target;
          ++next_.device;
          return Step::kDown;
      }
    }
  }
  return PopUp(Outcome::kNotFound);
}

TentativeAllocation::Outcome AllocationSearch::TryDevice(const Frame& frame) {
  const Target& target = frame.target;
  const DeviceRequestData& request = EntryOf(target);
  const PoolDevice& device = chosen_.DeviceAt(frame.place);
  DeviceRefusals::Reason refusal;
  Selection selection = Selection::kNo;
  if (!chosen_.IsTaken(target.claim, request, frame.place)) {
    selection = selection_.IsSelectable(request, *(*claims_)[target.claim].claim, device, &refusal);
  }
  if (selection == Selection::kYes) {
    if (!inputs_.features.consumable_capacity || chosen_.FitsCapacity(request, frame.place)) {
      return chosen_.Choose(target.claim, request, frame.place);
    }
    return chosen_.Refuse(request, frame.place, DeviceRule::kCapacity);
  }
  if (selection == Selection::kFault) return TentativeAllocation::Outcome::kFault;
  if (inputs_.refusals != nullptr) {
    inputs_.refusals->Add(request.number, chosen_.FlatIndex(frame.place), refusal);
  }
  return TentativeAllocation::Outcome::kRefused;
}

}  // namespace stowage
