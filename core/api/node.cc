#include "core/api/node.h"

namespace stowage {

NodeStatus::NodeStatus() = default;
NodeStatus::NodeStatus(const NodeStatus&) = default;
NodeStatus::NodeStatus(NodeStatus&&) noexcept = default;
NodeStatus& NodeStatus::operator=(const NodeStatus&) = default;
NodeStatus& NodeStatus::operator=(NodeStatus&&) noexcept = default;
NodeStatus::~NodeStatus() = default;

}  // namespace stowage
