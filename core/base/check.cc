#include "core/base/check.h"

namespace stowage {
namespace {

CheckHandler g_handler = nullptr;

}  // namespace

void SetCheckHandler(CheckHandler handler) { g_handler = handler; }

void CheckFailed(const char* place) {
  if (g_handler != nullptr) g_handler(place);
  __builtin_trap();
}

}  // namespace stowage
