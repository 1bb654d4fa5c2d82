#include "core/plugins/attached_volumes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/plugins/csi_translation.h"
#include "core/plugins/nodes_by_volume.h"

namespace stowage {
namespace {

uint64_t HashOf(std::initializer_list<const Symbol*> texts) {
  uint64_t hash = 0;
  for (const Symbol* text : texts) hash = (hash ^ text->id()) * 0x9e3779b97f4a7c15u;
  return hash;
}
uint64_t HashOf(const ObjectKey& key) { return HashOf({&key.namespace_, &key.name}); }
uint64_t HashOf(const AttachableVolume& volume) {
  return HashOf({&volume.driver, &volume.handle, &volume.claim_namespace});
}

// Whether these are versions of one pod, which share its list of volumes.
bool AreVersions(const PodInfoRef& a, const PodInfoRef& b) {
  if (a == b) return true;
  const Pod& one = *a->pod;
  const Pod& other = *b->pod;
  return one.metadata.uid == other.metadata.uid && one.metadata.name == other.metadata.name &&
         one.metadata.namespace_ == other.metadata.namespace_ &&
         one.spec.volumes.IsSame(other.spec.volumes);
}

// nullopt: reading them may fail.
std::optional<size_t> NumNamed(const NodeInfo& node) {
  size_t count = 0;
  for (const PodInfoRef& pod : node.pods_with_attachable_volumes()) {
    for (const Volume& volume : pod->pod->spec.volumes) {
      const auto& claim = volume.persistent_volume_claim;
      count += IsClaim(volume) || volume.source ? 1 : 0;
      bool is_plain = claim ? !claim->claim_name.empty() && !volume.is_ephemeral()
                            : !volume.is_ephemeral() && !IsInlineMigratable(volume);
      if (!is_plain) return std::nullopt;
    }
  }
  return count;
}

}  // namespace

bool HasLimits(const CsiNode& csi_node) {
  return std::ranges::any_of(csi_node.spec.drivers, [](const CsiNodeDriver& driver) {
    return driver.allocatable && driver.allocatable->count;
  });
}

struct AttachedVolumes::OfPod {
  PodInfoRef pod;
  Status status;
  std::vector<AttachableVolume> volumes;
  std::vector<ObjectKey> sources;
};

struct AttachedVolumes::Row {
  Symbol node;
  bool has_limits = false;  // if not, nothing else is known
  std::vector<OfPod> pods;
  std::vector<ObjectKey> attached;                 // the volumes of the node's VolumeAttachments
  mutable std::shared_ptr<AttachableVolumes> all;  // of the pods, once they were read
};

// Copies share rows and the entries of maps until one of them writes.
struct AttachedVolumes::Followed {
  // The version of the storage at the last Refresh.
  std::optional<uint64_t> storage_version;
  std::vector<std::shared_ptr<Row>> rows;  // null: nothing is known
  NodesByVolume nodes;
};

AttachedVolumes::AttachedVolumes() : followed_(std::make_shared<Followed>()) {}

void AttachedVolumes::Restore(const std::shared_ptr<const Followed>& saved) {
  std::optional<uint64_t>& version = Own().storage_version;
  if (version) {
    version = std::min(*version, saved->storage_version.value_or(0));
  } else {
    *followed_ = *saved;
  }
}

AttachedVolumes::Followed& AttachedVolumes::Own() {
  if (followed_.use_count() > 1) followed_ = std::make_shared<Followed>(*followed_);
  return *followed_;
}

AttachedVolumes::Row& AttachedVolumes::OwnRow(size_t row) {
  std::shared_ptr<Row>& own = Own().rows[row];
  if (own == nullptr) own = std::make_shared<Row>();
  if (own.use_count() > 1) own = std::make_shared<Row>(*own);
  return *own;
}

void AttachedVolumes::Refresh(const Listers& listers, const Snapshot& snapshot) {
  if (!followed_->storage_version) Own().storage_version = listers.storage_version();
  FollowNodes(listers, snapshot);
  FollowStorage(listers, snapshot);
}

bool AttachedVolumes::HasAny(const AttachableVolumes& volumes) const {
  return std::ranges::any_of(volumes.list(), [this](const AttachableVolume& volume) {
    return followed_->nodes.Contains(HashOf(volume));
  });
}

std::optional<size_t> AttachedVolumes::AtMost(const Listers& listers, const NodeInfo& node) const {
  const Row* row = Find(listers, node);
  if (row == nullptr) return NumNamed(node);
  size_t count = 0;
  for (const OfPod& pod : row->pods) {
    if (!pod.status.IsSuccess()) return std::nullopt;
    count += pod.volumes.size();
  }
  return count;
}

const AttachedVolumes::Row* AttachedVolumes::Find(const Listers& listers,
                                                  const NodeInfo& node) const {
  const Followed& followed = *followed_;
  if (node.row() >= followed.rows.size()) return nullptr;
  const Row* row = followed.rows[node.row()].get();
  bool is_known =
      followed.storage_version == listers.storage_version() && row != nullptr &&
      row->node == node.name() && row->has_limits &&
      std::ranges::equal(row->pods, node.pods_with_attachable_volumes(), {}, &OfPod::pod);
  return is_known ? row : nullptr;
}

Status AttachedVolumes::Read(const Listers& listers, const NodeInfo& node, const CsiNode& csi_node,
                             const AttachableVolumes** volumes) const {
  const Row* row = Find(listers, node);
  if (row == nullptr) {
    of_copy_ = {};
    *volumes = &of_copy_;
    for (const PodInfoRef& pod : node.pods_with_attachable_volumes()) {
      Status status = CollectAttachable(listers, *pod->pod, &csi_node, false, &of_copy_);
      if (!status.IsSuccess()) return status;
    }
    return Status::Success();
  }
  for (const OfPod& pod : row->pods) {
    if (!pod.status.IsSuccess()) return pod.status;
  }
  if (row->all == nullptr) {
    row->all = std::make_shared<AttachableVolumes>();
    for (const OfPod& pod : row->pods) {
      for (const AttachableVolume& volume : pod.volumes) row->all->Add(volume);
    }
  }
  *volumes = row->all.get();
  return Status::Success();
}

void AttachedVolumes::FollowNodes(const Listers& listers, const Snapshot& snapshot) {
  const NodeTable& table = snapshot.table();
  RowReplay::Step step = replay_.Advance(table);
  if (step == RowReplay::Step::kNothing) return;
  if (step == RowReplay::Step::kAll) {
    std::vector<std::shared_ptr<Row>>& rows = Own().rows;
    for (size_t row = table.size(); row < rows.size(); ++row) Drop(rows[row]);
    rows.resize(table.size());
    for (const NodeInfo* node : table.infos()) ReadRow(listers, *node);
    return;
  }
  if (step == RowReplay::Step::kMoved) {
    replay_.Move(&Own().rows, {}, [this](const std::shared_ptr<Row>& row) { Drop(row); });
  }
  for (uint32_t row : replay_.rows(table)) ReadRow(listers, table.info(row));
}

void AttachedVolumes::FollowStorage(const Listers& listers, const Snapshot& snapshot) {
  uint64_t before = *followed_->storage_version;
  if (before == listers.storage_version()) return;
  Own().storage_version = listers.storage_version();
  auto changes = listers.StorageChangesSince(before);
  bool are_known = changes && std::ranges::find(*changes, ObjectKind::kStorageClass,
                                                &StorageChange::kind) == changes->end();
  if (!are_known) {
    for (std::shared_ptr<Row>& row : Own().rows) Drop(std::exchange(row, nullptr));
    for (const NodeInfo* node : snapshot.nodes()) ReadRow(listers, *node);
    use_.changes.Break();
    return;
  }
  for (const StorageChange& change : *changes) Follow(change, listers, snapshot);
}

void AttachedVolumes::Follow(const StorageChange& change, const Listers& listers,
                             const Snapshot& snapshot) {
  std::vector<Symbol> nodes;
  bool is_of_node = false;
  switch (change.kind) {
    case ObjectKind::kCsiDriver:
      return use_.changes.Break();
    case ObjectKind::kCsiNode:
    case ObjectKind::kVolumeAttachment:
      nodes = {change.node};
      is_of_node = true;
      break;
    default:
      nodes = followed_->nodes.Find(HashOf(change.key));
  }
  for (const Symbol& name : nodes) {
    const NodeInfo* node = snapshot.Get(name);
    if (node == nullptr) continue;
    if (is_of_node) {
      Drop(std::exchange(Own().rows[node->row()], nullptr));
      ReadRow(listers, *node);
    } else {
      ReadAgain(change.key, listers, &OwnRow(node->row()));
    }
    use_.changes.AppendRenewal((*snapshot.table().slots())[node->row()]);
  }
}

void AttachedVolumes::ReadRow(const Listers& listers, const NodeInfo& node) {
  const Row* known_row = followed_->rows[node.row()].get();
  if (known_row == nullptr || known_row->node != node.name()) ReadNode(listers, node);
  const auto& pods = node.pods_with_attachable_volumes();
  known_row = followed_->rows[node.row()].get();
  if (!known_row->has_limits) return;
  if (std::ranges::equal(known_row->pods, pods, {}, &OfPod::pod)) return;
  Row& row = OwnRow(node.row());
  std::vector<OfPod> before = std::exchange(row.pods, {});
  for (const PodInfoRef& pod : pods) {
    auto known = std::ranges::find_if(before, [&pod](const OfPod& one) {
      return one.pod != nullptr && AreVersions(one.pod, pod);
    });
    if (known != before.end()) {
      row.pods.push_back(std::exchange(*known, {}));
      row.pods.back().pod = pod;
    } else {
      row.pods.push_back(ReadPod(listers, pod));
      Count(row, row.pods.back(), true);
    }
  }
  for (const OfPod& gone : before) Count(row, gone, false);
  row.all = nullptr;
}

// Begins the row of a node, without its pods.
void AttachedVolumes::ReadNode(const Listers& listers, const NodeInfo& node) {
  Drop(std::exchange(Own().rows[node.row()], nullptr));
  Row& row = OwnRow(node.row());
  row.node = node.name();
  CsiNodeRef csi_node = listers.GetCsiNode(node.name());
  row.has_limits = csi_node != nullptr && HasLimits(*csi_node);
  if (!row.has_limits) return;
  for (const VolumeAttachmentRef& attachment : listers.VolumeAttachmentsOf(node.name())) {
    const auto& volume = attachment->spec.source.persistent_volume_name;
    if (volume) row.attached.push_back({Symbol(), *volume});
  }
  for (const ObjectKey& volume : row.attached) Count(row.node, HashOf(volume), true);
}

void AttachedVolumes::ReadAgain(const ObjectKey& source, const Listers& listers, Row* row) {
  for (OfPod& pod : row->pods) {
    if (std::ranges::find(pod.sources, source) == pod.sources.end()) continue;
    Count(*row, pod, false);
    pod = ReadPod(listers, pod.pod);
    Count(*row, pod, true);
  }
  row->all = nullptr;
}

AttachedVolumes::OfPod AttachedVolumes::ReadPod(const Listers& listers, PodInfoRef pod) {
  static const auto* any = new CsiNode;  // what a pod attaches is the same for each
  OfPod read{std::move(pod), {}, {}, {}};
  AttachableVolumes volumes;
  read.status = CollectAttachable(listers, *read.pod->pod, any, false, &volumes, &read.sources);
  read.volumes = volumes.list();
  return read;
}

// What the row counts no longer counts.
void AttachedVolumes::Drop(const std::shared_ptr<Row>& row) {
  if (row == nullptr) return;
  for (const OfPod& pod : row->pods) Count(*row, pod, false);
  for (const ObjectKey& volume : row->attached) Count(row->node, HashOf(volume), false);
}

void AttachedVolumes::Count(const Row& row, const OfPod& pod, bool is_named) {
  for (const AttachableVolume& volume : pod.volumes) Count(row.node, HashOf(volume), is_named);
  for (const ObjectKey& source : pod.sources) Count(row.node, HashOf(source), is_named);
}

void AttachedVolumes::Count(const Symbol& node, uint64_t hash, bool is_named) {
  if (Own().nodes.Count(node, hash, is_named)) ++use_.version;
}

}  // namespace stowage
