// NodeResourcesFit's code for the verdict cache and the chunk forms.
#include <array>
#include <bit>
#include <limits>
#include <span>

#include "core/base/bitset.h"
#include "core/base/lanes.h"
#include "core/base/simd.h"
#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/extended_resources.h"
#include "core/plugins/node_resources_fit.h"
#include "core/plugins/node_resources_fit_state.h"
#include "core/plugins/use_shares.h"

namespace stowage {
namespace {

bool HasRoom(int64_t amount, int64_t allocatable, int64_t requested) {
  return amount <= 0 || amount <= allocatable - requested;
}

// What one more pod needs of NodeTable::room().
FourFloats NeedsOf(const Resource& request) {
  auto need = [](int64_t amount) {
    return amount > 0 ? FloatAbove(amount) : -std::numeric_limits<float>::infinity();
  };
  return FourFloats{need(request.milli_cpu), need(request.memory), need(request.ephemeral_storage),
                    need(1)};
}

STOWAGE_SIMD bool IsRoomFor(FourFloats needs, const Room& room) {
  constexpr uint64_t kAllParts = 0xf;
  return MaskOf(needs <= LoadLanes<FourFloats>(&room)) == kAllParts;
}

// The candidates that clearly have room for one more pod and for its native resources.
STOWAGE_SIMD uint64_t RowsWithRoom(const Resource& request, const NodeChunk& chunk,
                                   uint64_t candidates) {
  const FourFloats needs = NeedsOf(request);
  const size_t word = chunk.row(0) / NodeTable::kChunkRows;
  if (chunk.is_consecutive && IsRoomFor(needs, chunk.table.least_room(word))) return candidates;
  const Room* room = chunk.table.room().data();
  uint64_t rows = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    rows |= uint64_t{IsRoomFor(needs, room[chunk.row(offset)])} << offset;
  }
  return rows;
}

// The candidates with room for one more pod and for its native resources, from the columns.
uint64_t RowsThatFit(const Resource& request, const NodeChunk& chunk, uint64_t candidates) {
  const NodeTable& table = chunk.table;
  uint64_t rows = RowsWithRoom(request, chunk, candidates);
  candidates &= ~rows;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    bool fits =
        table.pod_count()[row] + 1 <= table.allocatable_pods()[row] &&
        HasRoom(request.milli_cpu, table.allocatable_milli_cpu()[row],
                table.requested_milli_cpu()[row]) &&
        HasRoom(request.memory, table.allocatable_memory()[row], table.requested_memory()[row]) &&
        HasRoom(request.ephemeral_storage, table.allocatable_ephemeral_storage()[row],
                table.requested_ephemeral_storage()[row]);
    rows |= uint64_t{fits} << offset;
  }
  return rows;
}

// The candidates with at least this amount of a scalar resource left.
uint64_t RowsWithScalar(const ScalarColumns& columns, int64_t amount, const NodeChunk& chunk,
                        uint64_t candidates) {
  uint64_t rows = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    bool fits = HasRoom(amount, columns.allocatable[row], columns.requested[row]);
    rows |= uint64_t{fits} << offset;
  }
  return rows;
}

// More scalars do not fit into a number.
constexpr size_t kScalarsMax = 32;

// Amounts of a row's node from the columns: they are close together, and each NodeInfo is
// elsewhere.
struct RowAmounts {
  int64_t milli_cpu;
  int64_t memory;
  int64_t ephemeral_storage;
  int64_t allowed_pod_number;
  const NodeTable& table;
  size_t row;
  bool is_allocatable;  // else requested

  int64_t Scalar(const Symbol& name) const {
    if (const ScalarColumns* columns = table.scalar(name)) {
      return (is_allocatable ? columns->allocatable : columns->requested)[row];
    }
    const NodeInfo& node = table.info(row);
    return (is_allocatable ? node.allocatable() : node.requested()).Scalar(name);
  }
};

// NodeRoom of a row.
struct RowRoom {
  RowAmounts allocatable;
  RowAmounts requested;
  size_t num_pods;
};

RowRoom RoomOf(const NodeTable& table, size_t row) {
  return {
      {table.allocatable_milli_cpu()[row], table.allocatable_memory()[row],
       table.allocatable_ephemeral_storage()[row], table.allocatable_pods()[row], table, row, true},
      {table.requested_milli_cpu()[row], table.requested_memory()[row],
       table.requested_ephemeral_storage()[row], 0, table, row, false},
      static_cast<size_t>(table.pod_count()[row])};
}

// What a node lacks, as a number: nodes with equal numbers have one status. 0: nothing.
uint64_t LackOn(const RowRoom& room, const FitPreFilterState& wanted) {
  constexpr uint64_t kUnresolvable = uint64_t{1} << 63;
  uint64_t lack = 0;
  ForEachInsufficientResource(wanted.request, wanted.served, room,
                              [&lack](const InsufficientResource& one) {
                                lack |= uint64_t{1} << (static_cast<size_t>(one.kind) + one.scalar);
                                lack |= one.is_unresolvable ? kUnresolvable : 0;
                              });
  return lack;
}

// Refuses the candidates that lack something: those that lack the same with one status, because
// building it takes long. Returns the others.
uint64_t RefuseLacking(const FitPreFilterState& wanted, const NodeChunk& chunk, uint64_t candidates,
                       ChunkStatuses* statuses) {
  std::array<uint64_t, NodeTable::kChunkRows> lacks;
  ForEachBit(candidates,
             [&](size_t at) { lacks[at] = LackOn(RoomOf(chunk.table, chunk.row(at)), wanted); });
  uint64_t passed = 0;
  while (candidates != 0) {
    const auto first = static_cast<size_t>(std::countr_zero(candidates));
    uint64_t alike = 0;
    ForEachBit(candidates, [&](size_t at) { alike |= uint64_t{lacks[at] == lacks[first]} << at; });
    candidates &= ~alike;
    if (lacks[first] == 0) {
      passed = alike;
    } else {
      statuses->Set(alike, StatusOn(chunk.node(first), wanted));
    }
  }
  return passed;
}

}  // namespace

STOWAGE_SIMD bool NodeResourcesFit::PassesAll(const CycleState& state, const Pod&,
                                              const NodeTable& table) const {
  const auto* stored = state.Read<FitPreFilterState>();
  if (stored == nullptr || !stored->request.scalars.empty()) return false;
  const FourFloats needs = NeedsOf(stored->request);
  for (size_t row = 0; row < table.size(); row += NodeTable::kChunkRows) {
    if (!IsRoomFor(needs, table.least_room(row / NodeTable::kChunkRows))) return false;
  }
  return true;
}

// Selects by the columns first. For the rest, which lacks something or needs a scalar without a
// column, Filter's own rule decides node by node.
uint64_t NodeResourcesFit::FilterChunk(const CycleState& state, const Pod& pod,
                                       const NodeChunk& chunk, uint64_t candidates,
                                       ChunkStatuses* statuses) const {
  const auto* stored = state.Read<FitPreFilterState>();
  if (stored == nullptr || stored->request.scalars.size() > kScalarsMax) {
    return PerNodeFilter<NodeResourcesFit>::FilterChunk(state, pod, chunk, candidates, statuses);
  }
  uint64_t passed = RowsThatFit(stored->request, chunk, candidates);
  for (const auto& [resource, amount] : stored->request.scalars) {
    const ScalarColumns* columns = chunk.table.scalar(resource);
    passed = columns != nullptr ? RowsWithScalar(*columns, amount, chunk, passed) : 0;
  }
  return passed | RefuseLacking(*stored, chunk, candidates & ~passed, statuses);
}

bool NodeResourcesFit::AddScores(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                 std::span<const uint64_t> candidates, int32_t weight,
                                 int32_t* totals) const {
  const auto* stored = state.Read<FitPreScoreState>();
  if (stored == nullptr || stored->devices) return false;
  return allocation_.AddScores(
      chunk, candidates, stored->requests, nullptr, weight, totals,
      [&](const ChunkShares& uses, std::span<uint64_t> rest) {
        scorer_->AddByShares(uses, weight, totals, rest);
      },
      [&](std::span<const ResourceUse> uses) { return scorer_->Score(uses); });
}

bool NodeResourcesFit::ReadsDevices(const Pod& pod) const {
  return IsServedByDevices(pod, features_, handle_.dra().extended_resources());
}

bool NodeResourcesFit::AppendFragment(const Pod& pod, PodSignature* signature) const {
  bool is_written = SignWrittenRequests(pod, nullptr, signature);
  signature->AddCount(is_written ? 1 : 0);
  if (is_written) return true;
  SignResource(FilteredRequestOf(pod), signature);
  for (int64_t amount : ScoredRequestsOf(pod)) signature->Add(amount);
  return true;
}

}  // namespace stowage
