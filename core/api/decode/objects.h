// The kinds that the engine decodes, and the decoding of one object.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/any_object.h"
#include "core/api/decode/decode_json.h"
#include "core/api/decode/input_error.h"
#include "core/api/decode/json_reader.h"

namespace stowage {

KindKey KindKeyOf(const AnyObject& object);

// The kinds whose JSON is kept beside the decoded fields (ObjectMeta::source).
enum class KeptSources : uint8_t {
  kVolumes,      // PersistentVolumes and all claims, which are written back whole
  kAll,          // all kinds, so that Inspect can return them
  kShown,        // those of kVolumes, and Pods and Nodes for extenders and plugins
  kAllAndShown,  // kAll, and extenders or plugins read Pods and Nodes
};

enum class KindScope : uint8_t { kCluster, kNamespaced, kUnknown };

// The properties of a kind (spec 01 §1).
struct KindInfo {
  ObjectKind kind;
  std::string_view api_version;  // "apps/v1"
  std::string_view name;         // "ReplicaSet"
  std::string_view resource;     // "replicasets"; for kOther "foos.v1.example.com"
  KindScope scope;
};

// Not for kOther, which covers many kinds.
const KindInfo& InfoOf(ObjectKind kind);
// Finds "ReplicaSet"; null if this engine does not read that kind.
const KindInfo* FindKindByName(std::string_view name);
// Null if this engine does not read that kind.
const KindInfo* FindKind(std::string_view api_version, std::string_view name);
// Finds "replicasets", or in full "replicasets.v1.apps".
const KindInfo* FindKindByResource(std::string_view resource);

// Like FindKind, and kOther for a kind whose resource is in `other_resources`. The views in the
// result are valid as long as the arguments.
std::optional<KindInfo> FindKind(std::string_view api_version, std::string_view name,
                                 const std::vector<Symbol>& other_resources);
// Like FindKindByResource; nullopt if the resource is neither known nor in `other_resources`.
std::optional<KindKey> FindKindKey(std::string_view resource,
                                   const std::vector<Symbol>& other_resources);

// The result of decoding one object.
struct ObjectDecoding {
  std::optional<AnyObject> object;          // set if there is no error
  std::optional<SyntaxError> syntax_error;  // positions are relative to the text
  std::vector<FieldError> field_errors;
};

// Decodes an object of that kind, leniently. Apart from JSON and types it requires metadata.name,
// metadata.uid for pods, and metadata.namespace for namespaced kinds; cluster-scoped objects must
// have none. These are checked only if everything else could be read.
ObjectDecoding DecodeObject(std::string_view text, const KindInfo& info, size_t depth_max,
                            KeptSources sources = KeptSources::kVolumes);

// An object whose kind is known, up to the reader's cursor: apiVersion and kind came first and have
// been read, or its List has named them.
struct StartedObject {
  JsonReader* reader;
  std::string_view text;  // the reader's text
  size_t begin;           // offset of the object's start
  // The key of a member that was read up to its value; empty if none was.
  std::string_view key;
};

// Reads to the object's end, so that one pass is enough. nullopt on any error, and if apiVersion or
// kind occur again: DecodeObject then reports the error. `is_deleted`: like DecodeDeletedObject.
std::optional<AnyObject> DecodeStartedObject(const StartedObject& object, const KindInfo& info,
                                             bool is_deleted, KeptSources sources);

// Decodes a deleted object: reads only metadata.name, namespace, uid and resourceVersion, and for
// pods spec.nodeName if it is a string. The rest may be any JSON of any depth, so that no content
// can make a deletion fail.
ObjectDecoding DecodeDeletedObject(std::string_view text, const KindInfo& info);

}  // namespace stowage
