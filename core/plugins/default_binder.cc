#include "core/plugins/default_binder.h"

#include "core/base/check.h"

namespace stowage {

Task<Status> DefaultBinder::Bind(CycleState&, const Pod& pod, const Symbol& node) {
  Background* background = handle_.background();
  CHECK(background != nullptr);
  ApiResponse response = co_await background->api.Bind(background->calls, pod, node);
  co_return response.ok() ? Status::Success() : Status::Error(response.message);
}

}  // namespace stowage
