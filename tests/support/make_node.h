// MakeNode builds a Node for a test, field by field, with the names of upstream's testing/wrappers.
//
// `MakeNode().Name("n").Allocatable({{"cpu", "4"}})` converts to Node; Ref() shares it.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "core/api/node.h"
#include "tests/support/make_pod.h"

namespace stowage {

class MakeNode {
 public:
  operator Node() const { return node_; }  // NOLINT: implicit on purpose
  Node Obj() const { return node_; }
  NodeRef Ref() const { return std::make_shared<const Node>(node_); }

  MakeNode& Name(std::string_view name) {
    node_.metadata.name = Symbol(name);
    return *this;
  }
  MakeNode& Label(std::string_view key, std::string_view value) {
    node_.metadata.labels.Set(Symbol(key), Symbol(value));
    return *this;
  }
  MakeNode& Annotation(std::string_view key, std::string_view value) {
    node_.metadata.annotations.Set(Symbol(key), Symbol(value));
    return *this;
  }
  MakeNode& Unschedulable(bool value) {
    node_.spec.unschedulable = value;
    return *this;
  }
  MakeNode& Taint(std::string_view key, std::string_view value, std::string_view effect) {
    node_.spec.taints.push_back({Symbol(key), Symbol(value), Symbol(effect)});
    return *this;
  }
  // With 110 pods unless `amounts` has another number.
  MakeNode& Allocatable(TextPairs amounts) {
    node_.status.allocatable = MakeResourceList(amounts);
    Symbol pods("pods");
    if (node_.status.allocatable.Find(pods) == nullptr) {
      node_.status.allocatable[pods] = Quantity(110);
    }
    return *this;
  }
  MakeNode& Image(std::string_view name, int64_t size_bytes) {
    node_.status.images.push_back({{Symbol(name)}, size_bytes});
    return *this;
  }
  MakeNode& DeclaredFeatures(Texts names) {
    node_.status.declared_features = MakeSymbols(names);
    return *this;
  }
  MakeNode& Condition(std::string_view type, std::string_view status) {
    node_.status.conditions.push_back({Symbol(type), Symbol(status)});
    return *this;
  }

 private:
  Node node_;
};

}  // namespace stowage
