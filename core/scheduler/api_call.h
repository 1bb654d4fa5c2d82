// Conversion between ApiRequest and Call: a request becomes a Call, and its answer becomes an
// ApiResponse in client-go's words.
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

// The kind of calls to the API server.
inline constexpr std::string_view kApi = "api";
inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kStrategicMergePatch = "application/strategic-merge-patch+json";

// Builds the Call for a request. `timeout_us` is in microseconds; 0: the call never times out.
Call ApiCallOf(const ApiRequest& request, int64_t timeout_us);
// Like ApiCallOf, for a request that is sent only once: it moves the path and body into the Call
// and leaves in `request` what ApiResponseOf needs.
Call TakeApiCall(ApiRequest* request, int64_t timeout_us);

// Reads the answer to a request. The reason and message of a failure come from the Status in the
// body. If the body holds none, they follow from the HTTP code, as in client-go. `status` is 0 if
// no answer came.
ApiResponse ApiResponseOf(const ApiRequest& request, Completion answer);

// Concatenates the parts in order.
std::string Joined(std::initializer_list<std::string_view> parts);

// `duration_us` plus a random share of at most `percent` percent of it, in microseconds.
inline int64_t JitteredUs(int64_t duration_us, int64_t percent, Rng& rng) {
  int64_t bound_us = duration_us * percent / 100 + 1;
  return duration_us + static_cast<int64_t>(rng.Below(static_cast<uint64_t>(bound_us)));
}

}  // namespace stowage
