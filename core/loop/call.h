// Call is a request that leaves the engine, and Completion its answer: both plain data. Who
// performs a call is not known here.
#pragma once

#include <coroutine>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/instant.h"

namespace stowage {

struct Call {
  uint64_t id = 0;     // given by whom it is sent to
  std::string kind;    // "extender", "api", "plugin"
  std::string pod;     // "namespace/name", on whose behalf
  std::string target;  // the extender's URL prefix, as configured; the plugin's name
  std::string verb;    // "filter", "prioritize", "preempt", whatever it is called there
  std::string method;  // "POST"
  std::string url;     // where to; of the API server: the path below its base URL
  std::string content_type = "application/json";
  std::string body;
  int64_t timeout_us = 0;  // after which nobody waits any more; 0: never
  Instant deadline;        // when that is; set where it is sent
};

// What stands in for an answer that did not come.
enum class CallFault : uint8_t { kNone, kTimeout, kNetwork, kAborted };

// "timeout", "network" and "" mean what they say; anything else is kAborted.
CallFault CallFaultOf(std::string_view error);

struct Completion {
  CallFault fault = CallFault::kNone;
  std::string message;  // of a fault
  int32_t status = 0;   // HTTP's
  std::string body;
};

// Tells calls apart by what they ask: 16 hexadecimal digits, equal for equal URLs and bodies.
std::string CallKey(const Call& call);

// Calls takes requests, hands out their answers, and lets tasks sleep between them.
class Calls {
 public:
  virtual ~Calls() = default;

  // Sends a call and gives its id. Several may be under way before the first answer is awaited.
  virtual uint64_t Send(Call call) = 0;

  // co_await calls.Answer(id) gives the Completion; once per call.
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

  // co_await calls.Sleep(us) goes on that much later.
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
  // `waiting` is resumed when the answer is there.
  virtual void Wait(uint64_t id, std::coroutine_handle<> waiting) = 0;
  virtual Completion Take(uint64_t id) = 0;
  // `waiting` is resumed so much later.
  virtual void SetTimer(int64_t duration_us, std::coroutine_handle<> waiting) = 0;
};

}  // namespace stowage
