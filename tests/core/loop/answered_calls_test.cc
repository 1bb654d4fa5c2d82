// Goal: an evaluation with all answers completes; one without them lists the calls that it needs.
#include "core/loop/answered_calls.h"

#include <gtest/gtest.h>

#include "core/loop/task.h"

namespace stowage {
namespace {

Call CallTo(std::string url) {
  Call call;
  call.url = std::move(url);
  return call;
}

Task<std::string> AskBoth(Calls& calls) {
  uint64_t a = calls.Send(CallTo("a"));
  uint64_t b = calls.Send(CallTo("b"));
  Completion first = co_await calls.Answer(a);
  Completion second = co_await calls.Answer(b);
  co_return first.body + second.body;
}

TEST(AnsweredCalls, CompleteWithAllAnswers) {
  AnsweredCalls calls({{CallKey(CallTo("a")), {CallFault::kNone, {}, 200, "1"}},
                       {CallKey(CallTo("b")), {CallFault::kNone, {}, 200, "2"}}});
  Task<std::string> task = AskBoth(calls);
  task.Start();
  ASSERT_TRUE(task.IsDone());
  EXPECT_EQ(task.Take(), "12");
  EXPECT_TRUE(calls.missing().empty());
}

TEST(AnsweredCalls, ListMissingCalls) {
  AnsweredCalls calls({{CallKey(CallTo("b")), {CallFault::kNone, {}, 200, "2"}}});
  Task<std::string> task = AskBoth(calls);
  task.Start();
  EXPECT_FALSE(task.IsDone());
  ASSERT_EQ(calls.missing().size(), 1u);
  EXPECT_EQ(calls.missing()[0].url, "a");
  EXPECT_EQ(calls.missing()[0].id, 1u);
}

}  // namespace
}  // namespace stowage
