#include "core/api/node.h"

#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"

namespace stowage {

template <>
struct Schema<Taint> {
  static constexpr auto kFields = Fields(Field<&Taint::key>("key"), Field<&Taint::value>("value"),
                                         Field<&Taint::effect>("effect"));
};

template <>
struct Schema<ContainerImage> {
  static constexpr auto kFields = Fields(Field<&ContainerImage::names>("names"),
                                         Field<&ContainerImage::size_bytes>("sizeBytes"));
};

template <>
struct Schema<NodeCondition> {
  static constexpr auto kFields =
      Fields(Field<&NodeCondition::type>("type"), Field<&NodeCondition::status>("status"));
};

template <>
struct Schema<NodeSpec> {
  static constexpr auto kFields =
      Fields(Field<&NodeSpec::unschedulable>("unschedulable"), Field<&NodeSpec::taints>("taints"));
};

template <>
struct Schema<NodeStatus> {
  static constexpr auto kFields =
      Fields(Field<&NodeStatus::allocatable>("allocatable"),
             Field<&NodeStatus::conditions>("conditions"), Field<&NodeStatus::images>("images"),
             Field<&NodeStatus::declared_features>("declaredFeatures"));
};

template <>
struct Schema<Node> {
  static constexpr auto kFields =
      Fields(Field<&Node::metadata>("metadata"), Field<&Node::spec>("spec"),
             Field<&Node::status>("status"));
};

const TypeInfo& NodeType() { return kTypeInfo<Node>; }

}  // namespace stowage
