// Goal: every failure is reported like client-go's error. Method: answers of a recorded API server
// v1.36, and answers that no API server gives.
#include "core/scheduler/api_call.h"

#include <gtest/gtest.h>

#include <string>

namespace stowage {
namespace {

ApiRequest RequestFor(std::string_view method, std::string path) {
  ApiRequest request;
  request.method = method;
  request.path = std::move(path);
  return request;
}

ApiRequest BindRequest() { return RequestFor("POST", "/api/v1/namespaces/default/pods/p/binding"); }

Completion Answer(int32_t status, std::string body) {
  return {CallFault::kNone, {}, status, std::move(body)};
}

TEST(ApiCall, CarriesTheRequest) {
  ApiRequest request;
  request.verb = "update";
  request.method = "PUT";
  request.path = "/api/v1/persistentvolumes/v";
  request.content_type = kJson;
  request.body = "{}";
  request.pod = "ns/p";
  Call call = ApiCallOf(request, 7);
  EXPECT_EQ(call.kind, "api");
  EXPECT_EQ(call.verb, "update");
  EXPECT_EQ(call.method, "PUT");
  EXPECT_EQ(call.url, "/api/v1/persistentvolumes/v");
  EXPECT_EQ(call.content_type, "application/json");
  EXPECT_EQ(call.body, "{}");
  EXPECT_EQ(call.pod, "ns/p");
  EXPECT_EQ(call.timeout_us, 7);
}

TEST(ApiCall, TakesReasonAndMessageOfAStatus) {
  struct {
    int32_t status;
    std::string body;
    std::string reason;
    std::string message;
  } cases[] = {
      {409,
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Operation)"
       R"( cannot be fulfilled on pods/binding \"manual-0\": pod manual-0 is already assigned to )"
       R"(node \"node-0\"","reason":"Conflict","details":{"name":"manual-0","kind":"pods/binding"})"
       R"(,"code":409})",
       "Conflict",
       "Operation cannot be fulfilled on pods/binding \"manual-0\": pod manual-0 is already "
       "assigned to node \"node-0\""},
      {404,
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods )"
       R"(\"nope-0\" not found","reason":"NotFound","details":{"name":"nope-0","kind":"pods"},)"
       R"("code":404})",
       "NotFound", "pods \"nope-0\" not found"},
      {401,
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
       R"("Unauthorized","reason":"Unauthorized","code":401})",
       "Unauthorized", "Unauthorized"},
      {500, R"({"kind":"Status","status":"Failure","message":"etcdserver: leader changed"})", "",
       "etcdserver: leader changed"},
  };
  for (const auto& c : cases) {
    ApiResponse response = ApiResponseOf(BindRequest(), Answer(c.status, c.body));
    EXPECT_FALSE(response.ok());
    EXPECT_EQ(response.status, c.status);
    EXPECT_EQ(response.reason, c.reason);
    EXPECT_EQ(response.message, c.message);
    EXPECT_EQ(response.body, c.body);
    EXPECT_EQ(response.IsNotFound(), c.status == 404);
  }
}

TEST(ApiCall, LeavesSuccessUnchanged) {
  ApiResponse response = ApiResponseOf(BindRequest(), Answer(201, R"({"kind":"Status"})"));
  EXPECT_TRUE(response.ok());
  EXPECT_EQ(response.body, R"({"kind":"Status"})");
  EXPECT_EQ(response.reason, "");
  EXPECT_EQ(response.message, "");
}

TEST(ApiCall, UsesClientGosMessageWithoutAStatus) {
  struct {
    int32_t status;
    std::string body;
    std::string reason;
    std::string message;
  } cases[] = {
      {404, "404 page not found\n", "NotFound",
       "the server could not find the requested resource (post pods p)"},
      {500, " boom \"x\"\n", "InternalError",
       "an error on the server (\"boom \\\"x\\\"\") has prevented the request from succeeding "
       "(post pods p)"},
      {502, "{}", "InternalError",
       "an error on the server (\"unknown\") has prevented the request from succeeding "
       "(post pods p)"},
      {500, R"({"kind":"Status","status":"Success","message":"fine"})", "InternalError",
       "an error on the server (\"unknown\") has prevented the request from succeeding "
       "(post pods p)"},
      {500, R"({"kind":"Pod","status":"Failure","message":"fine"})", "InternalError",
       "an error on the server (\"unknown\") has prevented the request from succeeding "
       "(post pods p)"},
      {503, "", "ServiceUnavailable",
       "the server is currently unable to handle the request (post pods p)"},
      {403, "no entry", "Forbidden", "no entry (post pods p)"},
      {406, "", "NotAcceptable",
       "the server was unable to respond with a content type that the client supports "
       "(post pods p)"},
      {406, "only xml", "NotAcceptable", "only xml (post pods p)"},
      {409, "", "AlreadyExists", "the server reported a conflict (post pods p)"},
      {418, "", "",
       "the server responded with the status code 418 but did not return more information "
       "(post pods p)"},
  };
  for (const auto& c : cases) {
    ApiResponse response = ApiResponseOf(BindRequest(), Answer(c.status, c.body));
    EXPECT_EQ(response.status, c.status);
    EXPECT_EQ(response.reason, c.reason) << c.status << c.body;
    EXPECT_EQ(response.message, c.message);
  }
}

TEST(ApiCall, CutsTheServersTextTo2048Bytes) {
  ApiResponse response = ApiResponseOf(BindRequest(), Answer(500, std::string(5000, 'x')));
  EXPECT_EQ(response.message, "an error on the server (\"" + std::string(2048, 'x') +
                                  "\") has prevented the request from succeeding (post pods p)");
}

TEST(ApiCall, NamesTheObjectByThePath) {
  struct {
    std::string method;
    std::string path;
    std::string subject;
  } cases[] = {
      {"DELETE", "/api/v1/namespaces/default/pods/p", " (delete pods p)"},
      {"PATCH", "/api/v1/namespaces/default/pods/p/status?force=true", " (patch pods p)"},
      {"PUT", "/api/v1/persistentvolumes/v", " (put persistentvolumes v)"},
      {"PUT", "/api/v1/namespaces/default", " (put namespaces default)"},
      {"POST", "/apis/events.k8s.io/v1/namespaces/default/events", " (post events.events.k8s.io)"},
      {"PUT", "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c/status",
       " (put resourceclaims.resource.k8s.io c)"},
      {"GET", "/version", ""},
  };
  for (const auto& c : cases) {
    ApiResponse response = ApiResponseOf(RequestFor(c.method, c.path), Answer(409, ""));
    EXPECT_EQ(response.message, "the server reported a conflict" + c.subject);
    EXPECT_EQ(response.reason, c.method == "POST" ? "AlreadyExists" : "Conflict");
  }
}

TEST(ApiCall, ReportsWhyThereIsNoAnswer) {
  struct {
    CallFault fault;
    std::string message;
    std::string want;
  } cases[] = {
      {CallFault::kTimeout, "",
       "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"},
      {CallFault::kNetwork, "", "connect: connection refused"},
      {CallFault::kNetwork, "fetch failed", "fetch failed"},
      {CallFault::kAborted, "", "context canceled"},
      {CallFault::kAborted, "stopped", "stopped"},
  };
  for (const auto& c : cases) {
    ApiResponse response = ApiResponseOf(BindRequest(), {c.fault, c.message, 0, ""});
    EXPECT_EQ(response.message, "Post \"/api/v1/namespaces/default/pods/p/binding\": " + c.want);
    EXPECT_EQ(response.status, 0);
    EXPECT_FALSE(response.ok());
  }
}

TEST(ApiCall, JittersUpwards) {
  Rng rng(1);
  int64_t longest_us = 0;
  for (int draw = 0; draw < 1000; ++draw) {
    int64_t jittered_us = JitteredUs(10'000, 10, rng);
    EXPECT_GE(jittered_us, 10'000);
    EXPECT_LE(jittered_us, 11'000);
    longest_us = std::max(longest_us, jittered_us);
  }
  EXPECT_GT(longest_us, 10'900);
}

}  // namespace
}  // namespace stowage
