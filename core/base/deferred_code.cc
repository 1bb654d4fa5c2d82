#include "core/base/deferred_code.h"

namespace stowage {
namespace {

// Null if the deferred code is there.
DeferredCodeLoader g_loader = nullptr;

}  // namespace

void SetDeferredCodeLoader(DeferredCodeLoader loader) { g_loader = loader; }

std::string LoadDeferredCode() {
  if (g_loader == nullptr) return {};
  std::string fault = g_loader();
  if (fault.empty()) g_loader = nullptr;
  return fault;
}

}  // namespace stowage
