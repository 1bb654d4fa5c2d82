// Goal: events are sent as recorded from kube-scheduler v1.36, equal ones become series, and an
// idle broadcaster has no timer. Method: events made by the test, calls read from the outbox.
#include "core/scheduler/event_broadcaster.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kMinute = 60 * kSecond;
const Symbol kScheduler("default-scheduler");

PodEvent Failed(std::string note = "0/4 nodes are available") {
  return {true, "FailedScheduling", "Scheduling", std::move(note)};
}

class EventBroadcasterTest : public testing::Test {
 protected:
  EventBroadcasterTest() { SetTime(Instant{1'795'235'432, 809'727'000}); }

  void SetTime(Instant now) {
    now_ = now;
    loop_.set_now(now);
    events_.set_now(now);
  }
  // Moves the time and fires what is due.
  void Advance(int64_t duration_us) {
    SetTime(Instant::FromMicros(now_.ToMicros() + duration_us));
    events_.FireTimers(now_);
    loop_.Resume();
  }
  void Record(const Pod& pod, PodEvent event) { events_.Record(pod, kScheduler, std::move(event)); }
  Call TakeCall() {
    std::vector<Call> calls = outbox_.Take();
    EXPECT_EQ(calls.size(), 1u);
    return calls.size() == 1 ? calls[0] : Call();
  }
  size_t CountCalls() { return outbox_.Take().size(); }
  void Answer(const Call& call, Completion answer) {
    loop_.StartSpawned();
    EXPECT_TRUE(loop_.Complete(call.id, std::move(answer)));
    loop_.Resume();
  }
  void AnswerStatus(const Call& call, int32_t status) {
    Answer(call, {CallFault::kNone, "", status, "{}"});
  }
  // Records an event twice and answers both calls; returns the event's name.
  std::string StartSeries(const Pod& pod) {
    Record(pod, Failed());
    Call creation = TakeCall();
    AnswerStatus(creation, 201);
    Record(pod, Failed());
    Call patch = TakeCall();
    AnswerStatus(patch, 200);
    return patch.url.substr(patch.url.rfind('/') + 1);
  }
  Pod PodNamed(std::string_view name) { return MakePod().Name(name).ResourceVersion("7"); }

  Instant now_;
  Outbox outbox_;
  Loop loop_{outbox_};
  Rng rng_{7};
  EventBroadcaster events_{loop_, rng_, {"host", 5 * kSecond}};
};

TEST_F(EventBroadcasterTest, CreatesTheFirstEvent) {
  Pod pod =
      MakePod().Name("web-0").Uid("3301ea62-6c32-4582-8074-399ff65d142d").ResourceVersion("4164");
  Record(pod, {false, "Scheduled", "Binding", "Successfully assigned default/web-0 to node-0"});
  Call call = TakeCall();
  EXPECT_EQ(call.kind, "api");
  EXPECT_EQ(call.verb, "create");
  EXPECT_EQ(call.method, "POST");
  EXPECT_EQ(call.url, "/apis/events.k8s.io/v1/namespaces/default/events");
  EXPECT_EQ(call.content_type, "application/json");
  EXPECT_EQ(call.pod, "default/web-0");
  EXPECT_EQ(call.timeout_us, 5 * kSecond);
  // As recorded, except for the end of the name: the recorded scheduler read the clock some
  // microseconds later.
  EXPECT_EQ(
      call.body,
      R"({"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":)"
      R"("web-0.18e9f51d54d18418","namespace":"default"},"eventTime":)"
      R"("2026-11-21T04:30:32.809727Z","reportingController":"default-scheduler",)"
      R"("reportingInstance":"default-scheduler-host","action":"Binding","reason":"Scheduled",)"
      R"("regarding":{"kind":"Pod","namespace":"default","name":"web-0","uid":)"
      R"("3301ea62-6c32-4582-8074-399ff65d142d","apiVersion":"v1","resourceVersion":"4164"},)"
      R"("note":"Successfully assigned default/web-0 to node-0","type":"Normal",)"
      R"("deprecatedSource":{},"deprecatedFirstTimestamp":null,"deprecatedLastTimestamp":null})");
}

TEST_F(EventBroadcasterTest, NamesEventsOfOneInstantDifferently) {
  Record(PodNamed("p"), Failed());
  Record(PodNamed("p"), {false, "Scheduled", "Binding", ""});
  std::vector<Call> calls = outbox_.Take();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_NE(calls[0].body.find(R"("p.18e9f51d54d18418")"), std::string::npos) << calls[0].body;
  EXPECT_NE(calls[1].body.find(R"("p.18e9f51d54d18419")"), std::string::npos) << calls[1].body;
  EXPECT_NE(calls[1].body.find(R"("eventTime":"2026-11-21T04:30:32.809727Z")"), std::string::npos);
}

TEST_F(EventBroadcasterTest, CutsAPodNameThatIsTooLong) {
  Record(PodNamed(std::string(235, 'a') + "-" + std::string(17, 'b')), Failed());
  std::string name = std::string(235, 'a') + ".18e9f51d54d18418";
  EXPECT_NE(TakeCall().body.find(R"("metadata":{"name":")" + name + "\""), std::string::npos);
}

TEST_F(EventBroadcasterTest, MakesASeriesOfEqualEvents) {
  Record(PodNamed("p"), Failed("one note"));
  AnswerStatus(TakeCall(), 201);
  Advance(2 * kSecond);
  Record(PodNamed("p"), Failed("another note"));
  Call patch = TakeCall();
  EXPECT_EQ(patch.verb, "patch");
  EXPECT_EQ(patch.method, "PATCH");
  EXPECT_EQ(patch.url, "/apis/events.k8s.io/v1/namespaces/default/events/p.18e9f51d54d18418");
  EXPECT_EQ(patch.content_type, "application/strategic-merge-patch+json");
  EXPECT_EQ(patch.body,
            R"({"series":{"count":2,"lastObservedTime":"2026-11-21T04:30:34.809727Z"}})");
  AnswerStatus(patch, 200);
  Record(PodNamed("p"), Failed("a third"));
  EXPECT_EQ(CountCalls(), 0u) << "only counted";
  EXPECT_EQ(events_.num_events(), 1u);
}

TEST_F(EventBroadcasterTest, MakesNoSeriesOfDifferentEvents) {
  Record(PodNamed("p"), Failed());
  Record(PodNamed("q"), Failed());
  Record(MakePod().Name("p").Namespace("other").ResourceVersion("7"), Failed());
  Record(MakePod().Name("p").Uid("new").ResourceVersion("7"), Failed());
  Record(MakePod().Name("p").ResourceVersion("8"), Failed());
  Record(PodNamed("p"), {false, "FailedScheduling", "Scheduling", ""});
  Record(PodNamed("p"), {true, "Other", "Scheduling", ""});
  Record(PodNamed("p"), {true, "FailedScheduling", "Other", ""});
  events_.Record(PodNamed("p"), Symbol("second-scheduler"), Failed());
  std::vector<Call> calls = outbox_.Take();
  EXPECT_EQ(calls.size(), 9u);
  for (const Call& call : calls) EXPECT_EQ(call.verb, "create");
  EXPECT_EQ(events_.num_events(), 9u);
}

TEST_F(EventBroadcasterTest, HasNoTimerWhileIdle) {
  EXPECT_EQ(events_.NextDeadline(), std::nullopt);
  Instant start = now_;
  Record(PodNamed("p"), Failed());
  AnswerStatus(TakeCall(), 201);
  EXPECT_EQ(events_.NextDeadline(), Instant::FromMicros(start.ToMicros() + 6 * kMinute));
  Advance(6 * kMinute);
  EXPECT_EQ(events_.num_events(), 1u) << "seen just six minutes ago";
  EXPECT_EQ(events_.NextDeadline(), Instant::FromMicros(start.ToMicros() + 12 * kMinute));
  Advance(6 * kMinute);
  EXPECT_EQ(events_.num_events(), 0u);
  EXPECT_EQ(events_.NextDeadline(), std::nullopt);
  EXPECT_EQ(CountCalls(), 0u) << "no series, nothing to say";
  Record(PodNamed("p"), Failed());
  EXPECT_EQ(TakeCall().verb, "create") << "forgotten";
}

TEST_F(EventBroadcasterTest, EndsASeriesWithALastPatch) {
  std::string name = StartSeries(PodNamed("p"));
  Advance(kMinute);
  Record(PodNamed("p"), Failed());
  Advance(5 * kMinute);
  EXPECT_EQ(events_.num_events(), 1u);
  Advance(6 * kMinute);
  Call patch = TakeCall();
  EXPECT_EQ(patch.url, "/apis/events.k8s.io/v1/namespaces/default/events/" + name);
  EXPECT_EQ(patch.body,
            R"({"series":{"count":3,"lastObservedTime":"2026-11-21T04:31:32.809727Z"}})");
  EXPECT_EQ(events_.num_events(), 0u);
  EXPECT_EQ(events_.NextDeadline(), std::nullopt);
}

TEST_F(EventBroadcasterTest, RefreshesLivingSeriesEveryHalfHour) {
  StartSeries(PodNamed("p"));
  for (int32_t minutes = 5; minutes < 30; minutes += 5) {
    Advance(5 * kMinute);
    Record(PodNamed("p"), Failed());
  }
  EXPECT_EQ(CountCalls(), 0u);
  Record(PodNamed("single"), Failed());
  AnswerStatus(TakeCall(), 201);
  Advance(5 * kMinute);
  Call patch = TakeCall();
  EXPECT_EQ(patch.body,
            R"({"series":{"count":7,"lastObservedTime":"2026-11-21T04:55:32.809727Z"}})");
  Answer(patch, {CallFault::kNetwork, "", 0, ""});
  EXPECT_EQ(loop_.NextDeadline(), std::nullopt) << "the next refresh says it again";
  EXPECT_EQ(events_.NextDeadline(), Instant::FromMicros(now_.ToMicros() + 6 * kMinute));
}

TEST_F(EventBroadcasterTest, KeepsItsPeriodAfterALongPause) {
  StartSeries(PodNamed("p"));
  Advance(4 * kMinute);
  Record(PodNamed("p"), Failed());
  Instant start = Instant::FromMicros(now_.ToMicros() - 4 * kMinute);
  Advance(5 * kMinute);
  EXPECT_EQ(events_.NextDeadline(), Instant::FromMicros(start.ToMicros() + 12 * kMinute));
  EXPECT_EQ(events_.num_events(), 1u);
}

TEST_F(EventBroadcasterTest, CreatesTheEventAgainIfThePatchFindsNone) {
  Record(PodNamed("p"), Failed("one note"));
  AnswerStatus(TakeCall(), 201);
  Record(PodNamed("p"), Failed());
  AnswerStatus(TakeCall(), 404);
  Call creation = TakeCall();
  EXPECT_EQ(creation.verb, "create");
  EXPECT_EQ(creation.url, "/apis/events.k8s.io/v1/namespaces/default/events");
  EXPECT_NE(creation.body.find(R"("eventTime":"2026-11-21T04:30:32.809727Z","series":{"count":2,)"
                               R"("lastObservedTime":"2026-11-21T04:30:32.809727Z"},)"
                               R"("reportingController")"),
            std::string::npos)
      << creation.body;
  EXPECT_NE(creation.body.find(R"("note":"one note")"), std::string::npos);
  AnswerStatus(creation, 404);
  EXPECT_EQ(CountCalls(), 0u);
  EXPECT_FALSE(loop_.IsBusy());
}

TEST_F(EventBroadcasterTest, RetriesOnlyWithoutAnAnswer) {
  struct {
    Completion answer;
    bool is_tried_again;
  } cases[] = {
      {{CallFault::kNetwork, "", 0, ""}, true},
      {{CallFault::kTimeout, "", 0, ""}, true},
      {{CallFault::kAborted, "", 0, ""}, false},
      {{CallFault::kNone, "", 500, "{}"}, false},
      {{CallFault::kNone, "", 409, "{}"}, false},
      {{CallFault::kNone, "", 403,
        R"({"kind":"Status","status":"Failure","message":"namespace )"
        R"(x is being terminated","reason":"Forbidden","code":403})"},
       false},
  };
  for (const auto& c : cases) {
    Record(MakePod().Name("p").Uid(std::to_string(c.answer.status) + c.answer.body +
                                   std::to_string(static_cast<int>(c.answer.fault))),
           Failed());
    Call call = TakeCall();
    Answer(call, c.answer);
    EXPECT_EQ(loop_.IsBusy(), c.is_tried_again) << c.answer.status;
    if (!c.is_tried_again) continue;
    SetTime(*loop_.NextDeadline());
    loop_.Resume();
    Call again = TakeCall();
    EXPECT_EQ(again.body, call.body);
    AnswerStatus(again, 201);
    EXPECT_FALSE(loop_.IsBusy());
  }
}

TEST_F(EventBroadcasterTest, GivesUpAfterTwelveTries) {
  Record(PodNamed("p"), Failed());
  for (int tries = 1; tries < 12; ++tries) {
    Answer(TakeCall(), {CallFault::kNetwork, "", 0, ""});
    ASSERT_TRUE(loop_.NextDeadline().has_value()) << tries;
    int64_t waited_us = loop_.NextDeadline()->ToMicros() - now_.ToMicros();
    EXPECT_GE(waited_us, 10 * kSecond);
    EXPECT_LE(waited_us, 12 * kSecond + kSecond / 2);
    SetTime(*loop_.NextDeadline());
    loop_.Resume();
  }
  Answer(TakeCall(), {CallFault::kNetwork, "", 0, ""});
  EXPECT_FALSE(loop_.IsBusy());
  EXPECT_EQ(CountCalls(), 0u);
}

TEST_F(EventBroadcasterTest, DropsEventsWhileTooManyRetriesWait) {
  for (size_t count = 0; count <= EventBroadcaster::kRetriesMax; ++count) {
    Record(PodNamed("p" + std::to_string(count)), Failed());
  }
  for (const Call& call : outbox_.Take()) Answer(call, {CallFault::kNetwork, "", 0, ""});
  SetTime(Instant::FromMicros(now_.ToMicros() + 13 * kSecond));
  loop_.Resume();
  EXPECT_EQ(CountCalls(), EventBroadcaster::kRetriesMax);
}

TEST_F(EventBroadcasterTest, DropsTheLeastRecentlySeenEventWhenFull) {
  StartSeries(PodNamed("first"));
  for (size_t count = 1; count < EventBroadcaster::kEventsMax; ++count) {
    Record(PodNamed("p" + std::to_string(count)), Failed());
  }
  EXPECT_EQ(CountCalls(), EventBroadcaster::kEventsMax - 1);
  Record(PodNamed("first"), Failed());
  Record(PodNamed("new"), Failed());
  EXPECT_EQ(TakeCall().verb, "create") << "p1 went without a word";
  EXPECT_EQ(events_.num_events(), EventBroadcaster::kEventsMax);
  Record(PodNamed("p1"), Failed());
  EXPECT_EQ(TakeCall().verb, "create");
  Record(PodNamed("first"), Failed());
  EXPECT_EQ(CountCalls(), 0u) << "seen lately, still known";
}

}  // namespace
}  // namespace stowage
