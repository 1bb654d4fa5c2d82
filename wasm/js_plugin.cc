#include "wasm/js_plugin.h"

#include <bit>
#include <utility>

#include "core/api/decode/source.h"
#include "core/framework/score_notes.h"

namespace stowage {
namespace {

void WriteRows(NodeList nodes, JsonWriter* json) {
  json->Key("nodes").BeginArray();
  for (const NodeInfo* node : nodes) json->Int(node->row());
  json->EndArray();
}

// The candidates of a chunk as two integers of 32 bits, because JavaScript has none of 64. Only
// plugins that declare it get chunks of rows that are not adjacent.
void WriteChunk(const NodeChunk& chunk, uint64_t candidates, JsonWriter* json) {
  size_t first = chunk.row(0);
  CHECK(chunk.rows.back() == first + chunk.rows.size() - 1);
  json->IntMember("first", first).Key("mask").BeginArray();
  json->Int(candidates & 0xffffffff).Int(candidates >> 32).EndArray();
}

}  // namespace

Registry::Entry JsPlugin::EntryOf(std::shared_ptr<JsPluginHost> host,
                                  const PluginDeclaration& declaration) {
  ExtensionPointSet points;
  auto add = [&](std::string_view method, ExtensionPoint point) {
    if (declaration.Has(method)) points.Add(point);
  };
  add("preFilter", ExtensionPoint::kPreFilter);
  add("filter", ExtensionPoint::kFilter);
  add("filterChunk", ExtensionPoint::kFilter);
  add("postFilter", ExtensionPoint::kPostFilter);
  add("preScore", ExtensionPoint::kPreScore);
  add("score", ExtensionPoint::kScore);
  add("reserve", ExtensionPoint::kReserve);
  add("unreserve", ExtensionPoint::kReserve);
  add("preEnqueue", ExtensionPoint::kPreEnqueue);
  add("permit", ExtensionPoint::kPermit);
  add("preBind", ExtensionPoint::kPreBind);
  add("bind", ExtensionPoint::kBind);
  add("postBind", ExtensionPoint::kPostBind);
  auto make = [host,
               declaration](const PluginContext& context) -> Result<PluginInstance, std::string> {
    auto plugin = std::make_unique<JsPlugin>(host, declaration, context);
    JsPlugin* raw = plugin.get();
    return raw->Instance(std::move(plugin));
  };
  return {declaration.name, points, std::move(make)};
}

PluginInstance JsPlugin::Instance(std::unique_ptr<JsPlugin> self) {
  auto has = [this](std::string_view method) { return declaration_.Has(method); };
  PluginInstance instance;
  instance.plugin = std::move(self);
  if (has("preFilter")) instance.pre_filter = this;
  if (has("filter") || has("filterChunk")) instance.filter = this;
  if (has("postFilter")) instance.post_filter = this;
  if (has("preScore")) instance.pre_score = this;
  if (has("score")) instance.score = this;
  if (has("score")) instance.score_notes = this;
  if (has("reserve") || has("unreserve")) instance.reserve = this;
  if (has("preEnqueue")) instance.pre_enqueue = this;
  if (has("permit")) instance.permit = this;
  if (has("preBind")) instance.pre_bind = this;
  if (has("bind")) instance.bind = this;
  if (has("postBind")) instance.post_bind = this;
  if (declaration_.events) instance.enqueue_extensions = this;
  return instance;
}

JsPluginHost::Request JsPlugin::RequestFor(std::string_view point, const CycleState& state,
                                           const Pod& pod) const {
  return JsPluginHost::Request(*host_, Callee(point),
                               {state, pod, handle_.snapshot(), handle_.background() == nullptr});
}

Status JsPlugin::PreFilter(CycleState& state, const Pod& pod, NodeList,
                           PreFilterResult* result) const {
  JsAnswer answer = RequestFor("preFilter", state, pod).Send();
  result->node_names = std::move(answer.node_names);
  return answer.status;
}

const PreFilterExtensions* JsPlugin::Extensions() const {
  return declaration_.Has("addPod") || declaration_.Has("removePod") ? this : nullptr;
}

Status JsPlugin::AddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                        const NodeInfo& node) const {
  if (!declaration_.Has("addPod")) return Status::Success();
  auto request = RequestFor("addPod", state, pod);
  request.Node(node).json().Key("other").Raw(PodJson(*pod_to_add.pod));
  return request.Send().status;
}

Status JsPlugin::RemovePod(CycleState& state, const Pod& pod, const PodInfo& pod_to_remove,
                           const NodeInfo& node) const {
  if (!declaration_.Has("removePod")) return Status::Success();
  auto request = RequestFor("removePod", state, pod);
  request.Node(node).json().Key("other").Raw(PodJson(*pod_to_remove.pod));
  return request.Send().status;
}

Status JsPlugin::Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const {
  auto request = RequestFor("filter", state, pod);
  return request.Node(node).Send().status;
}

uint64_t JsPlugin::FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                               uint64_t candidates, ChunkStatuses* statuses) const {
  auto request = RequestFor("filterChunk", state, pod);
  WriteChunk(chunk, candidates, &request.json());
  JsAnswer answer = request.Send();
  uint64_t passed = candidates;
  if (!answer.status.IsSuccess()) {
    // The call failed as a whole. A caller that filters node by node finds out on which node.
    if (candidates != 0) statuses->Set(candidates, answer.status);
    return 0;
  }
  for (const std::vector<int32_t>& entry : answer.refused) {
    CHECK(entry.size() == 2);
    auto offset = static_cast<size_t>(entry[0]);
    CHECK(offset < chunk.rows.size());
    passed &= ~(uint64_t{1} << offset);
    auto place = static_cast<size_t>(entry[1]);
    CHECK(place < answer.statuses.size());
    statuses->SetOne(offset, answer.statuses[place]);
  }
  return passed;
}

Task<Status> JsPlugin::PostFilter(CycleState& state, const Pod& pod, const NodeToStatus& statuses,
                                  PostFilterResult* result) {
  auto request = RequestFor("postFilter", state, pod);
  JsonWriter& json = request.json();
  json.Key("statuses").BeginArray();
  auto write = [&json](const Status& status) {
    json.BeginObject().StringMember("code", CodeName(status.code())).Key("reasons").BeginArray();
    for (const Symbol& reason : status.reasons()) json.String(reason.view());
    json.EndArray().StringMember("plugin", status.plugin().view()).EndObject();
  };
  write(statuses.absent_status());
  for (const Status& status : statuses.distinct()) write(status);
  json.EndArray().Key("statusOfRow").BeginArray();
  for (size_t row = 0; row < statuses.rows(); ++row) json.Int(statuses.id(row));
  json.EndArray();
  JsAnswer answer = request.Send();
  result->nominated_node_name = std::move(answer.nominated_node_name);
  co_return answer.status;
}

Status JsPlugin::PreScore(CycleState& state, const Pod& pod, NodeList nodes) const {
  auto request = RequestFor("preScore", state, pod);
  WriteRows(nodes, &request.json());
  return request.Send().status;
}

Result<int64_t, Status> JsPlugin::Score(const CycleState& state, const Pod& pod,
                                        const NodeInfo& node) const {
  auto request = RequestFor("score", state, pod);
  JsAnswer answer = request.Node(node).Send();
  if (!answer.status.IsSuccess()) return answer.status;
  CHECK(answer.scores.size() == 1);
  return answer.scores[0];
}

Status JsPlugin::ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                            uint64_t candidates, ChunkScores* scores) const {
  auto request = RequestFor("scoreChunk", state, pod);
  WriteChunk(chunk, candidates, &request.json());
  JsAnswer answer = request.Send();
  if (!answer.status.IsSuccess()) return answer.status;
  CHECK(answer.scores.size() == static_cast<size_t>(std::popcount(candidates)));
  for (size_t index = 0; candidates != 0; candidates &= candidates - 1, ++index) {
    (*scores)[static_cast<size_t>(std::countr_zero(candidates))] = answer.scores[index];
  }
  return Status::Success();
}

const ScoreExtensions* JsPlugin::Normalizer() const {
  return declaration_.Has("normalizeScore") ? this : nullptr;
}

Status JsPlugin::NormalizeScore(const CycleState& state, const Pod& pod,
                                std::span<NodeScore> scores) const {
  auto request = RequestFor("normalizeScore", state, pod);
  request.json().Key("nodes").BeginArray();
  for (const NodeScore& score : scores) request.json().Int(score.node->row());
  request.json().EndArray().Key("scores").BeginArray();
  for (const NodeScore& score : scores) request.json().Int(score.score);
  request.json().EndArray();
  JsAnswer answer = request.Send();
  if (!answer.status.IsSuccess()) return answer.status;
  CHECK(answer.scores.size() == scores.size());
  for (size_t index = 0; index < scores.size(); ++index) scores[index].score = answer.scores[index];
  return Status::Success();
}

int64_t JsPlugin::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  if (declaration_.Has("scoreNotes")) {
    auto request = RequestFor("scoreNotes", scored.state, scored.pod);
    JsAnswer answer = request.Node(scored.node()).Send();
    if (!answer.status.IsSuccess()) answer.lines.push_back(answer.status.Message());
    for (const std::string& line : answer.lines) notes->AddOperand("{}", {line});
  }
  return ScoreNotesPlugin::NoteScore(scored, notes);
}

Status JsPlugin::Reserve(CycleState& state, const Pod& pod, const Symbol& node) {
  if (!declaration_.Has("reserve")) return Status::Success();
  auto request = RequestFor("reserve", state, pod);
  request.json().StringMember("nodeName", node.view());
  return request.Send().status;
}

void JsPlugin::Unreserve(CycleState& state, const Pod& pod, const Symbol& node) {
  if (!declaration_.Has("unreserve")) return;
  auto request = RequestFor("unreserve", state, pod);
  request.json().StringMember("nodeName", node.view());
  request.Send();
}

}  // namespace stowage
