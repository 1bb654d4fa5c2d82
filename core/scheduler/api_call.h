// Calls to the API server: a request as a Call, and what came of it in the words of client-go.
// Counterpart: client-go rest/request.go and apimachinery's api/errors, v1.36.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/base/rng.h"
#include "core/framework/api_client.h"
#include "core/loop/call.h"

namespace stowage {

inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kStrategicMergePatch = "application/strategic-merge-patch+json";

// `timeout_us` 0: the call waits as long as it takes.
Call ApiCallOf(const ApiRequest& request, int64_t timeout_us);
// The same where the request will not be sent again: it keeps what ApiResponseOf needs of it.
Call TakeApiCall(ApiRequest* request, int64_t timeout_us);

// A failure's reason and message are those of the Status in the body. Where there is none they
// follow from the code, as client-go has it. Without an answer at all `status` is 0.
ApiResponse ApiResponseOf(const ApiRequest& request, Completion answer);

// The parts, one after the other.
std::string Joined(std::initializer_list<std::string_view> parts);

// `duration_us` and up to `percent` of it more.
inline int64_t JitteredUs(int64_t duration_us, int64_t percent, Rng& rng) {
  int64_t bound_us = duration_us * percent / 100 + 1;
  return duration_us + static_cast<int64_t>(rng.Below(static_cast<uint64_t>(bound_us)));
}

}  // namespace stowage
