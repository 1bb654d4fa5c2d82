// RecordingSink records the results of a batch, one line of text per item, in order.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/decode/batch.h"

namespace stowage {

class RecordingSink final : public BatchSink {
 public:
  void OnObject(ChangeType change, AnyObject object) override {
    constexpr std::string_view kChanges[] = {"present", "added", "modified", "deleted"};
    const ObjectMeta& metadata = object.metadata();
    const auto* other = object.Get<OtherObject>();
    std::string kind =
        other != nullptr ? other->kind_name.str() : std::string(InfoOf(object.kind()).name);
    lines.push_back(std::string(kChanges[static_cast<size_t>(change)]) + " " + kind + " " +
                    metadata.namespace_.str() + "/" + metadata.name.str());
    objects.push_back(std::move(object));
  }
  void OnBookmark(Bookmark bookmark) override {
    lines.push_back("bookmark " + bookmark.api_version + " " + bookmark.kind + " " +
                    bookmark.resource_version +
                    (bookmark.is_initial_events_end ? " initial-events-end" : ""));
  }
  void OnStatus(std::string_view status_json) override {
    lines.push_back("status " + std::string(status_json));
  }
  void OnSync(SyncMark mark) override {
    const auto& [kind, resource] = mark.kind;
    lines.push_back(
        (mark.is_end ? "sync-end " : "sync-begin ") +
        (kind == ObjectKind::kOther ? resource.str() : std::string(InfoOf(kind).resource)) + " " +
        mark.resource_version);
  }
  void OnScheduleOne(ScheduleOneCommand command) override {
    lines.push_back("schedule-one " + command.namespace_ + " " + command.name);
  }
  void OnActivate(ActivateCommand command) override {
    lines.emplace_back("activate");
    for (const std::string& pod : command.pods) lines.back() += " " + pod;
  }
  void OnWaitingPod(WaitingPodCommand command) override {
    lines.push_back((command.is_allowed ? "allow " : "reject ") + command.uid + " " +
                    command.plugin + " " + command.message);
  }
  void OnCompletion(CompletionItem completion) override {
    lines.push_back("completion " + std::to_string(completion.call) + " " +
                    std::to_string(completion.status) + " " + completion.body + completion.error +
                    completion.message);
  }
  void OnError(InputError error) override {
    lines.push_back("error " + std::string(InputErrorCodeName(error.code)));
    errors.push_back(std::move(error));
  }

  std::vector<std::string> lines;
  std::vector<AnyObject> objects;
  std::vector<InputError> errors;
};

inline RecordingSink Record(std::string_view bytes, BatchFormat format,
                            const DecodeLimits& limits = DecodeLimits()) {
  RecordingSink sink;
  DecodeBatch(bytes, format, limits, sink);
  return sink;
}

// A Pod of namespace "default" with the required fields. `more` is inserted before the end:
// R"(,"spec":{…})".
inline std::string PodJson(std::string_view name, std::string_view more = "") {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + std::string(name) +
         R"(","namespace":"default","uid":"u-)" + std::string(name) + R"("})" + std::string(more) +
         "}";
}

}  // namespace stowage
