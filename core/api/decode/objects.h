// The kinds that are decoded, and the decoding of one object of such a kind.
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

// Whose JSON is kept beside what is read of it (ObjectMeta::source).
enum class KeptSources : uint8_t {
  kVolumes,      // PersistentVolumes and their claims, which are written back as a whole
  kAll,          // so that they can be given back
  kShown,        // those of kVolumes, and Pods and Nodes, which extenders and plugins look at
  kAllAndShown,  // kAll, and extenders or plugins look at Pods and Nodes
};

enum class KindScope : uint8_t { kCluster, kNamespaced, kUnknown };

// What is known of a kind (spec 01 §1).
struct KindInfo {
  ObjectKind kind;
  std::string_view api_version;  // "apps/v1"
  std::string_view name;         // "ReplicaSet"
  std::string_view resource;     // "replicasets"; of kOther "foos.v1.example.com"
  KindScope scope;
};

// Not for kOther, which is many kinds.
const KindInfo& InfoOf(ObjectKind kind);
// By "ReplicaSet"; null when this engine reads no such kind.
const KindInfo* FindKindByName(std::string_view name);
// Null when this engine reads no such kind.
const KindInfo* FindKind(std::string_view api_version, std::string_view name);
// By "replicasets", or in full "replicasets.v1.apps".
const KindInfo* FindKindByResource(std::string_view resource);

// As FindKind, and kOther for a kind whose resource is among `other_resources`. The views in it
// live as long as the arguments.
std::optional<KindInfo> FindKind(std::string_view api_version, std::string_view name,
                                 const std::vector<Symbol>& other_resources);
// As FindKindByResource; nullopt when the resource is neither known nor among `other_resources`.
std::optional<KindKey> FindKindKey(std::string_view resource,
                                   const std::vector<Symbol>& other_resources);

// What became of one object's text.
struct ObjectDecoding {
  std::optional<AnyObject> object;          // set when all is well
  std::optional<SyntaxError> syntax_error;  // places are relative to the text
  std::vector<FieldError> field_errors;
};

// Decodes an object of that kind, leniently. Beyond JSON and types it requires metadata.name and
// metadata.uid, and metadata.namespace for namespaced kinds; those of the cluster must have none.
// These are looked at only once all the rest could be read.
ObjectDecoding DecodeObject(std::string_view text, const KindInfo& info, size_t depth_max,
                            KeptSources sources = KeptSources::kVolumes);

// An object whose apiVersion and kind came first and were read, up to where `reader` is.
struct StartedObject {
  JsonReader* reader;
  std::string_view text;  // what the reader walks
  size_t begin;           // of the object
};

// Reads on to the object's end, so that one pass is enough. nullopt when anything is amiss, also
// where apiVersion or kind come again: DecodeObject then says what it is. `is_deleted`: as
// DecodeDeletedObject.
std::optional<AnyObject> DecodeStartedObject(const StartedObject& object, const KindInfo& info,
                                             bool is_deleted, KeptSources sources);

// The same for an object that is gone: only metadata.name, namespace, uid and resourceVersion are
// read, and of pods spec.nodeName where it is a string. The rest may be any JSON of any depth, so
// that nothing in it can lose the deletion.
ObjectDecoding DecodeDeletedObject(std::string_view text, const KindInfo& info);

}  // namespace stowage
