#include "core/scheduler/api_call.h"

#include <optional>
#include <string>
#include <utility>

#include "core/api/decode/decode_json.h"
#include "core/api/field_error.h"
#include "core/base/format.h"

namespace stowage {

// The fields of metav1.Status that are read.
struct StatusDocument {
  std::string kind;
  std::string status;
  std::string message;
  std::string reason;
};

template <>
struct Schema<StatusDocument> {
  static constexpr auto kFields =
      Fields(Field<&StatusDocument::kind>("kind"), Field<&StatusDocument::status>("status"),
             Field<&StatusDocument::message>("message"), Field<&StatusDocument::reason>("reason"));
};

namespace {

constexpr std::string_view kSpace = " \t\n\v\f\r";
constexpr std::string_view kUnknown = "unknown";
constexpr size_t kServerMessageSizeMax = 2048;
constexpr int32_t kNotAcceptable = 406;

constexpr std::string_view kTimeoutText =
    "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
constexpr std::string_view kNetworkText = "connect: connection refused";
constexpr std::string_view kAbortedText = "context canceled";

// client-go's reason and message for a code whose answer has no Status.
struct GenericFailure {
  int32_t code;
  std::string_view reason;
  std::string_view message;  // empty: the server's own text
};

constexpr GenericFailure kGenericFailures[] = {
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "the server has asked for the client to provide credentials"},
    {403, "Forbidden", ""},
    {404, "NotFound", "the server could not find the requested resource"},
    {405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    {406, "NotAcceptable", ""},
    {409, "Conflict", "the server reported a conflict"},
    {415, "UnsupportedMediaType", ""},
    {422, "Invalid", "the server rejected our request due to an error in our request"},
    {429, "TooManyRequests",
     "the server has received too many requests and has asked us to try again later"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout",
     "the server was unable to return a response in the time allotted, but may still be "
     "processing the request"},
};

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Cuts the first segment off the path and returns it.
std::string_view TakeSegment(std::string_view* path) {
  while (!path->empty() && path->front() == '/') path->remove_prefix(1);
  std::string_view segment = path->substr(0, path->find('/'));
  path->remove_prefix(segment.size());
  return segment;
}

// " (post pods web-0)": the request's verb and object, which ends the message.
std::string SubjectOf(const ApiRequest& request) {
  std::string_view path = request.path;
  path = path.substr(0, path.find('?'));
  bool is_group = TakeSegment(&path) == "apis";
  std::string_view group = is_group ? TakeSegment(&path) : std::string_view();
  TakeSegment(&path);  // the version
  std::string_view resource = TakeSegment(&path);
  std::string_view name = TakeSegment(&path);
  std::string_view namespaced = TakeSegment(&path);
  if (resource == "namespaces" && !namespaced.empty()) {
    resource = namespaced;
    name = TakeSegment(&path);
  }
  if (resource.empty()) return {};
  std::string subject = Format(" ({} {}", ToLower(request.method), resource);
  if (!group.empty()) subject += Format(".{}", group);
  if (!name.empty()) subject += Format(" {}", name);
  return subject + ")";
}

// The answer's text if it is plain text. client-go decides by the content type, which is not
// available here: a text that begins like JSON counts as unknown.
std::string_view ServerMessageOf(std::string_view body) {
  body = body.substr(0, kServerMessageSizeMax);
  size_t begin = body.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  body = body.substr(begin, body.find_last_not_of(kSpace) - begin + 1);
  return body.front() == '{' || body.front() == '[' ? kUnknown : body;
}

std::string GenericMessageOf(const GenericFailure& failure, std::string_view server_message) {
  if (!failure.message.empty()) return std::string(failure.message);
  if (failure.code == kNotAcceptable && (server_message.empty() || server_message == kUnknown)) {
    return "the server was unable to respond with a content type that the client supports";
  }
  return std::string(server_message);
}

void SetGenericFailure(const ApiRequest& request, ApiResponse* response) {
  std::string_view server_message = ServerMessageOf(response->body);
  for (const GenericFailure& failure : kGenericFailures) {
    if (failure.code != response->status) continue;
    bool is_creation = failure.reason == "Conflict" && request.method == "POST";
    response->reason = is_creation ? "AlreadyExists" : failure.reason;
    response->message = GenericMessageOf(failure, server_message) + SubjectOf(request);
    return;
  }
  if (response->status >= 500) {
    response->reason = "InternalError";
    response->message =
        Format("an error on the server ({}) has prevented the request from succeeding{}",
               GoQuote(server_message), SubjectOf(request));
    return;
  }
  response->message = Format(
      "the server responded with the status code {} but did not return more "
      "information{}",
      response->status, SubjectOf(request));
}

std::optional<StatusDocument> FailureStatusOf(std::string_view body) {
  StatusDocument document;
  DecodeReport report = DecodeJson(body, DecodeOptions(), &document);
  if (!report.ok() || document.kind != "Status") return std::nullopt;
  if (document.status != "Failure") return std::nullopt;
  return document;
}

std::string_view TextOf(const Completion& answer) {
  if (answer.fault == CallFault::kTimeout) return kTimeoutText;
  if (!answer.message.empty()) return answer.message;
  return answer.fault == CallFault::kNetwork ? kNetworkText : kAbortedText;
}

}  // namespace

Call ApiCallOf(const ApiRequest& request, int64_t timeout_us) {
  ApiRequest copy = request;
  return TakeApiCall(&copy, timeout_us);
}

Call TakeApiCall(ApiRequest* request, int64_t timeout_us) {
  Call call;
  call.kind = kApi;
  call.pod = std::move(request->pod);
  call.verb = request->verb;
  call.method = request->method;
  call.url = request->path;
  call.content_type = request->content_type;
  call.body = std::move(request->body);
  call.timeout_us = timeout_us;
  return call;
}

std::string Joined(std::initializer_list<std::string_view> parts) {
  size_t size = 0;
  for (std::string_view part : parts) size += part.size();
  std::string text;
  text.reserve(size);
  for (std::string_view part : parts) text += part;
  return text;
}

ApiResponse ApiResponseOf(const ApiRequest& request, Completion answer) {
  ApiResponse response;
  if (answer.fault != CallFault::kNone) {
    std::string operation = ToLower(request.method);
    operation[0] = request.method[0];
    response.message = Format("{} \"{}\": {}", operation, request.path, TextOf(answer));
    return response;
  }
  response.status = answer.status;
  response.body = std::move(answer.body);
  if (response.ok()) return response;
  if (std::optional<StatusDocument> status = FailureStatusOf(response.body)) {
    response.reason = std::move(status->reason);
    response.message = std::move(status->message);
  } else {
    SetGenericFailure(request, &response);
  }
  return response;
}

}  // namespace stowage
