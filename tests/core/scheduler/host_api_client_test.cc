// Goal: requests are those recorded from kube-scheduler v1.36, and a patch is retried if that may
// help. Method: one task whose calls are read from the outbox and answered by the test.
#include "core/scheduler/host_api_client.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr int64_t kTimeoutUs = 30'000'000;
constexpr std::string_view kUid = "3301ea62-6c32-4582-8074-399ff65d142d";

std::string StatusBody(int32_t code, std::string_view reason) {
  return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no",)"
         R"("reason":")" +
         std::string(reason) + R"(","code":)" + std::to_string(code) + "}";
}

class HostApiClientTest : public testing::Test {
 protected:
  HostApiClientTest() {
    loop_.set_now(now_);
    events_.set_now(now_);
  }

  // Starts `task`; returns the one call that it sent.
  Call Start(Task<ApiResponse> task) {
    task_.emplace(std::move(task));
    task_->Start();
    return TakeCall();
  }
  Call TakeCall() {
    std::vector<Call> calls = outbox_.Take();
    EXPECT_EQ(calls.size(), 1u);
    return calls.size() == 1 ? calls[0] : Call();
  }
  void Answer(const Call& call, Completion answer) {
    EXPECT_TRUE(loop_.Complete(call.id, std::move(answer)));
    loop_.Resume();
  }
  // Moves the time to `deadline` and fires what is due.
  void AdvanceTo(Instant deadline) {
    now_ = deadline;
    loop_.set_now(now_);
    loop_.Resume();
  }
  PodStatusPatch Nominate(std::string_view node) const { return {{}, Symbol(node)}; }

  Instant now_{1'000'000, 0};
  Outbox outbox_;
  Loop loop_{outbox_};
  Rng rng_{7};
  EventBroadcaster events_{loop_, rng_, {"host", 0}};
  RecordLog records_{{/*has_events=*/true, /*has_moves=*/false}};
  HostApiClient client_{{events_, records_, rng_}, {kTimeoutUs}};
  Pod pod_ = MakePod().Name("web-0").Uid(kUid);
  std::optional<Task<ApiResponse>> task_;
};

TEST_F(HostApiClientTest, Binds) {
  Call call = Start(client_.Bind(loop_, pod_, Symbol("node-0")));
  EXPECT_EQ(call.kind, "api");
  EXPECT_EQ(call.verb, "bind");
  EXPECT_EQ(call.method, "POST");
  EXPECT_EQ(call.url, "/api/v1/namespaces/default/pods/web-0/binding");
  EXPECT_EQ(call.content_type, "application/json");
  EXPECT_EQ(call.pod, "default/web-0");
  EXPECT_EQ(call.timeout_us, kTimeoutUs);
  EXPECT_EQ(call.body,
            R"({"kind":"Binding","apiVersion":"v1","metadata":{"name":"web-0","namespace":)"
            R"("default","uid":"3301ea62-6c32-4582-8074-399ff65d142d"},"target":{"kind":"Node",)"
            R"("name":"node-0"}})");
  Answer(call, {CallFault::kNone, "", 201, R"({"kind":"Status","status":"Success"})"});
  ASSERT_TRUE(task_->IsDone());
  EXPECT_TRUE(task_->Take().ok());
}

TEST_F(HostApiClientTest, NeverRetriesABinding) {
  Call call = Start(client_.Bind(loop_, pod_, Symbol("node-0")));
  Answer(call, {CallFault::kNone, "", 409, StatusBody(409, "Conflict")});
  ASSERT_TRUE(task_->IsDone());
  ApiResponse response = task_->Take();
  EXPECT_EQ(response.status, 409);
  EXPECT_EQ(response.reason, "Conflict");
  EXPECT_EQ(response.message, "no");
}

TEST_F(HostApiClientTest, Deletes) {
  Call call = Start(client_.DeletePod(loop_, pod_));
  EXPECT_EQ(call.verb, "delete");
  EXPECT_EQ(call.method, "DELETE");
  EXPECT_EQ(call.url, "/api/v1/namespaces/default/pods/web-0");
  EXPECT_EQ(call.content_type, "application/json");
  EXPECT_EQ(call.body, R"({"kind":"DeleteOptions","apiVersion":"v1"})");
  Answer(call, {CallFault::kNetwork, "", 0, ""});
  ASSERT_TRUE(task_->IsDone());
  EXPECT_EQ(task_->Take().message,
            "Delete \"/api/v1/namespaces/default/pods/web-0\": connect: connection refused");
}

TEST_F(HostApiClientTest, SendsAnyRequestUnchanged) {
  ApiRequest request{"create", "POST", "/apis/g/v1/things", "text/x", "body", "ns/p"};
  Call call = Start(client_.Send(loop_, request));
  EXPECT_EQ(call.verb, "create");
  EXPECT_EQ(call.url, "/apis/g/v1/things");
  EXPECT_EQ(call.content_type, "text/x");
  EXPECT_EQ(call.body, "body");
  EXPECT_EQ(call.pod, "ns/p");
  Answer(call, {CallFault::kNone, "", 200, "made"});
  ASSERT_TRUE(task_->IsDone());
  EXPECT_EQ(task_->Take().body, "made");
}

TEST_F(HostApiClientTest, PatchesTheStatus) {
  Call call = Start(client_.PatchPodStatus(loop_, pod_, Nominate("node-0")));
  EXPECT_EQ(call.verb, "patch");
  EXPECT_EQ(call.method, "PATCH");
  EXPECT_EQ(call.url, "/api/v1/namespaces/default/pods/web-0/status");
  EXPECT_EQ(call.content_type, "application/strategic-merge-patch+json");
  EXPECT_EQ(call.body, R"({"status":{"nominatedNodeName":"node-0"}})");
  Answer(call, {CallFault::kNone, "", 404, StatusBody(404, "NotFound")});
  ASSERT_TRUE(task_->IsDone()) << "not found stays not found";
  EXPECT_TRUE(task_->Take().IsNotFound());
}

TEST_F(HostApiClientTest, SendsNoPatchThatChangesNothing) {
  pod_.metadata.generation = 3;
  PodCondition seen;
  seen.type = Symbol("PodScheduled");
  seen.status = Symbol("False");
  seen.observed_generation = 2;
  pod_.status.conditions.push_back(seen);
  seen.observed_generation = 3;
  Task<ApiResponse> task = client_.PatchPodStatus(loop_, pod_, {seen, Symbol()});
  task.Start();
  EXPECT_TRUE(outbox_.Take().empty());
  ASSERT_TRUE(task.IsDone());
  EXPECT_EQ(task.Take().status, 200);
}

TEST_F(HostApiClientTest, TriesAPatchUpToFourTimes) {
  Call call = Start(client_.PatchPodStatus(loop_, pod_, Nominate("node-0")));
  std::string body = call.body;
  for (int64_t delay_us : {10'000, 50'000, 250'000}) {
    Answer(call, {CallFault::kNone, "", 500, StatusBody(500, "InternalError")});
    ASSERT_FALSE(task_->IsDone());
    EXPECT_TRUE(outbox_.Take().empty()) << "not at once";
    ASSERT_TRUE(loop_.NextDeadline().has_value());
    int64_t waited_us = loop_.NextDeadline()->ToMicros() - now_.ToMicros();
    EXPECT_GE(waited_us, delay_us);
    EXPECT_LE(waited_us, delay_us + delay_us / 10);
    AdvanceTo(*loop_.NextDeadline());
    call = TakeCall();
    EXPECT_EQ(call.body, body);
  }
  Answer(call, {CallFault::kNone, "", 500, StatusBody(500, "InternalError")});
  ASSERT_TRUE(task_->IsDone());
  EXPECT_EQ(task_->Take().reason, "InternalError");
}

TEST_F(HostApiClientTest, RetriesAPatchAfterPassingFailures) {
  struct {
    Completion answer;
    bool is_tried_again;
  } cases[] = {
      {{CallFault::kNone, "", 500, StatusBody(500, "InternalError")}, true},
      {{CallFault::kNone, "", 500, StatusBody(500, "")}, true},
      {{CallFault::kNone, "", 503, StatusBody(503, "ServiceUnavailable")}, true},
      {{CallFault::kNone, "", 503, "no backend"}, true},
      {{CallFault::kNone, "", 409, StatusBody(409, "Conflict")}, true},
      {{CallFault::kNetwork, "", 0, ""}, true},
      {{CallFault::kTimeout, "", 0, ""}, false},
      {{CallFault::kAborted, "", 0, ""}, false},
      {{CallFault::kNone, "", 409, StatusBody(409, "AlreadyExists")}, false},
      {{CallFault::kNone, "", 422, StatusBody(422, "Invalid")}, false},
      {{CallFault::kNone, "", 429, StatusBody(429, "TooManyRequests")}, false},
      {{CallFault::kNone, "", 504, StatusBody(504, "Timeout")}, false},
  };
  for (const auto& c : cases) {
    Call call = Start(client_.PatchPodStatus(loop_, pod_, Nominate("node-0")));
    Answer(call, c.answer);
    EXPECT_EQ(task_->IsDone(), !c.is_tried_again) << c.answer.status << c.answer.body;
    if (!c.is_tried_again) continue;
    AdvanceTo(*loop_.NextDeadline());
    Answer(TakeCall(), {CallFault::kNone, "", 200, ""});
    ASSERT_TRUE(task_->IsDone());
    EXPECT_TRUE(task_->Take().ok());
  }
}

TEST_F(HostApiClientTest, SendsAndRecordsEvents) {
  client_.RecordEvent(pod_, Symbol("default-scheduler"),
                      {false, "Scheduled", "Binding", "Successfully assigned"});
  Call call = TakeCall();
  EXPECT_EQ(call.url, "/apis/events.k8s.io/v1/namespaces/default/events");
  EXPECT_EQ(events_.num_events(), 1u);
  std::string records;
  records_.TakeInto(&records);
  EXPECT_NE(records.find("Successfully assigned"), std::string::npos) << records;
}

}  // namespace
}  // namespace stowage
