#include "core/plugins/default_binder.h"

#include "core/base/check.h"

namespace stowage {
namespace {

Status OutcomeOf(const ApiResponse& response) {
  return response.ok() ? Status::Success() : Status::Error(response.message);
}

}  // namespace

Task<Status> DefaultBinder::Bind(CycleState&, const Pod& pod, const Symbol& node) {
  Background* background = handle_.background();
  CHECK(background != nullptr);
  return Map(background->api.Bind(background->calls, pod, node), &OutcomeOf);
}

}  // namespace stowage
