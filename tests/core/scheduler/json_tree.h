// JsonTree is a JSON text as a tree, for tests that check answers. Parsing it also checks that it
// is JSON.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/decode/json_tokens.h"

namespace stowage {

class JsonTree {
 public:
  // Fails the test if `text` is not one JSON value.
  static JsonTree Parse(std::string_view text);

  bool exists() const { return kind_ != Kind::kMissing; }
  bool is_null() const { return kind_ == Kind::kNull; }
  // A string's text, a number's digits, "true" or "false".
  const std::string& text() const { return text_; }
  int64_t number() const { return std::strtoll(text_.c_str(), nullptr, 10); }

  // A missing value if there is no such member.
  const JsonTree& operator[](std::string_view key) const {
    static const JsonTree kMissing;
    for (size_t index = 0; index < keys_.size(); ++index) {
      if (keys_[index] == key) return children_[index];
    }
    return kMissing;
  }
  const JsonTree& operator[](size_t index) const { return children_.at(index); }
  size_t size() const { return children_.size(); }
  const std::vector<JsonTree>& items() const { return children_; }
  const std::vector<std::string>& keys() const { return keys_; }

  // The items' texts, each followed by a space: "a b ".
  std::string Words() const {
    std::string words;
    for (const JsonTree& item : children_) words += item.text_ + " ";
    return words;
  }

 private:
  friend class JsonTreeBuilder;

  enum class Kind { kMissing, kNull, kScalar, kObject, kArray };

  Kind kind_ = Kind::kMissing;
  std::string text_;
  std::vector<std::string> keys_;  // of an object, parallel to its children
  std::vector<JsonTree> children_;
};

class JsonTreeBuilder final : public TokenSink {
 public:
  using Kind = JsonTree::Kind;

  bool Null() override { return Add(Kind::kNull, {}); }
  bool Bool(bool value) override { return Add(Kind::kScalar, value ? "true" : "false"); }
  bool Number(std::string_view text) override { return Add(Kind::kScalar, text); }
  bool String(std::string_view text) override { return Add(Kind::kScalar, text); }
  bool Key(std::string_view text) override {
    open_.back().keys_.emplace_back(text);
    return true;
  }
  bool OpenObject() override { return Open(Kind::kObject); }
  bool OpenArray() override { return Open(Kind::kArray); }
  bool CloseObject() override { return Close(); }
  bool CloseArray() override { return Close(); }

  JsonTree root;

 private:
  bool Add(Kind kind, std::string_view text) {
    JsonTree value;
    value.kind_ = kind;
    value.text_ = text;
    return Place(std::move(value));
  }
  bool Open(Kind kind) {
    open_.emplace_back().kind_ = kind;
    return true;
  }
  bool Close() {
    JsonTree value = std::move(open_.back());
    open_.pop_back();
    return Place(std::move(value));
  }
  bool Place(JsonTree value) {
    if (open_.empty()) {
      root = std::move(value);
    } else {
      open_.back().children_.push_back(std::move(value));
    }
    return true;
  }

  std::vector<JsonTree> open_;  // outermost first
};

inline JsonTree JsonTree::Parse(std::string_view text) {
  JsonTreeBuilder builder;
  std::optional<JsonFault> fault = ReadJsonTokens(text, builder);
  EXPECT_FALSE(fault.has_value()) << fault->message << " in " << text;
  return builder.root;
}

}  // namespace stowage
