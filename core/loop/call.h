// Call is a request that leaves the engine, and Completion its answer. Both are plain data; the
// host decides how to perform a call.
#pragma once

#include <coroutine>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/instant.h"

namespace stowage {

// The views are of constants.
struct Call {
  uint64_t id = 0;          // assigned by Calls::Send
  std::string_view kind;    // "extender", "api", "plugin"
  std::string pod;          // "namespace/name" of the pod that the call is for
  std::string target;       // the extender's URL prefix, as configured; the plugin's name
  std::string verb;         // "filter", "prioritize", "preempt"; the callee's own name for it
  std::string_view method;  // "POST"
  std::string url;          // for the API server: the path below its base URL
  std::string_view content_type = "application/json";
  std::string body;
  int64_t timeout_us = 0;  // 0: never times out
  Instant deadline;        // when the timeout ends; set by Calls::Send
};

// Why there is no answer.
enum class CallFault : uint8_t { kNone, kTimeout, kNetwork, kAborted };

// Maps "timeout", "network" and "" (kNone); anything else is kAborted.
CallFault CallFaultOf(std::string_view error);

struct Completion {
  CallFault fault = CallFault::kNone;
  std::string message;  // set with a fault
  int32_t status = 0;   // HTTP status code
  std::string body;
};

// Identifies a call by its request: 16 hexadecimal digits, equal for equal URLs and bodies.
std::string CallKey(const Call& call);

// Calls sends requests, delivers their answers, and lets tasks sleep.
class Calls {
 public:
  virtual ~Calls() = default;

  // Sends a call and returns its id. Several may be sent before the first answer is awaited.
  virtual uint64_t Send(Call call) = 0;

  // co_await calls.Answer(id) returns the Completion; once per call.
  auto Answer(uint64_t id) {
    struct Awaiter {
      Calls& calls;
      uint64_t id;
      bool await_ready() const { return calls.IsAnswered(id); }
      void await_suspend(std::coroutine_handle<> waiting) const { calls.Wait(id, waiting); }
      Completion await_resume() const { return calls.Take(id); }
    };
    return Awaiter{*this, id};
  }

  // co_await calls.Sleep(us) resumes after that many microseconds.
  auto Sleep(int64_t duration_us) {
    struct Awaiter {
      Calls& calls;
      int64_t duration_us;
      bool await_ready() const { return duration_us <= 0; }
      void await_suspend(std::coroutine_handle<> waiting) const {
        calls.SetTimer(duration_us, waiting);
      }
      void await_resume() const {}
    };
    return Awaiter{*this, duration_us};
  }

 protected:
  virtual bool IsAnswered(uint64_t id) const = 0;
  // Resumes `waiting` when the answer has arrived.
  virtual void Wait(uint64_t id, std::coroutine_handle<> waiting) = 0;
  virtual Completion Take(uint64_t id) = 0;
  // Resumes `waiting` after `duration_us` microseconds.
  virtual void SetTimer(int64_t duration_us, std::coroutine_handle<> waiting) = 0;
};

}  // namespace stowage
