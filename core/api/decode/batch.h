// DecodeBatch splits the input of `apply` into objects, watch events and commands, decodes them,
// and passes them to the sink in the order of the text. One bad item never stops the rest.
//
// An item is
// - an object with apiVersion and kind;
// - a List: "v1 List" as kubectl prints it, or a typed one (PodList) as the API returns it, whose
//   items need no kind of their own; Lists may nest a little;
// - a watch event {"type": ADDED | MODIFIED | DELETED | BOOKMARK | ERROR, "object"};
// - {"type": SYNC_BEGIN | SYNC_END, "resource", "resourceVersion"};
// - {"type": SCHEDULE_ONE, "pod": "namespace/name"};
// - {"type": ACTIVATE, "pods": ["namespace/name"]};
// - {"type": ALLOW_WAITING_POD, "uid", "plugin"}, {"type": REJECT_WAITING_POD, "uid", "plugin",
//   "message"};
// - {"type": COMPLETION, "call": 17, "status": 200, "body": "…"}, or in place of status and body
//   {"error": timeout | network | aborted, "message": "…"}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/input_error.h"
#include "core/api/decode/objects.h"

namespace stowage {

enum class BatchFormat : uint8_t {
  kDocument,  // the bytes are one item
  kLines,     // one item per line; blank lines are ignored
};

struct DecodeLimits {
  // Limits for one object that is not deleted: its size, and its nesting depth.
  size_t object_bytes = size_t{4} << 20;
  size_t depth = 64;
  size_t batch_bytes = size_t{256} << 20;
  KeptSources sources = KeptSources::kVolumes;
  // Additional kinds whose metadata is read, by resource: "foos.v1.example.com"
  // (core/api/resource_text.h). All other unknown kinds are UnknownKind errors.
  std::vector<Symbol> other_resources = {};
};

enum class ChangeType : uint8_t {
  kPresent,  // the object's current state: added or updated
  kAdded,
  kModified,
  kDeleted,
};

// The progress of a stream: a BOOKMARK event, or the metadata of a typed List (after its items).
struct Bookmark {
  std::string api_version;  // of the objects in the stream
  std::string kind;
  std::string resource_version;
  bool is_initial_events_end = false;  // all initial objects have been sent
};

struct SyncMark {
  bool is_end = false;
  KindKey kind = ObjectKind::kPod;
  std::string resource_version;  // SYNC_END; may be empty
};

struct ScheduleOneCommand {
  std::string namespace_;
  std::string name;
};

// Activates pods of the queue.
struct ActivateCommand {
  std::vector<std::string> pods;  // "namespace/name"
};

// A plugin's decision about a pod that waits in Permit.
struct WaitingPodCommand {
  bool is_allowed = false;
  std::string uid;
  std::string plugin;   // allowed: the plugin that delayed the pod
  std::string message;  // rejected
};

// The answer to a call, or its error.
struct CompletionItem {
  int64_t call = 0;
  int32_t status = 0;
  std::string body;
  std::string error;  // empty: there was an answer
  std::string message;
};

// Receives the items and errors of a batch in order. Views are valid during the call only.
class BatchSink {
 public:
  virtual ~BatchSink() = default;

  // A deleted object has only its metadata.name, namespace, uid and resourceVersion, and for a pod
  // spec.nodeName.
  virtual void OnObject(ChangeType change, AnyObject object) = 0;
  virtual void OnBookmark(Bookmark bookmark) = 0;
  // An ERROR event: the JSON text of its metav1.Status.
  virtual void OnStatus(std::string_view status_json) = 0;
  virtual void OnSync(SyncMark mark) = 0;
  virtual void OnScheduleOne(ScheduleOneCommand command) = 0;
  virtual void OnActivate(ActivateCommand command) = 0;
  virtual void OnWaitingPod(WaitingPodCommand command) = 0;
  virtual void OnCompletion(CompletionItem completion) = 0;
  // An object with several errors is reported by several calls with the same index.
  virtual void OnError(InputError error) = 0;
  // Ends an item; the InputError::index of later errors is one higher.
  virtual void OnItemEnd() {}
};

// Objects of kinds that this engine does not read are UnknownKind errors, one per object or typed
// List. In a malformed document, the items that can be separated are still applied.
void DecodeBatch(std::string_view bytes, BatchFormat format, const DecodeLimits& limits,
                 BatchSink& sink);

}  // namespace stowage
