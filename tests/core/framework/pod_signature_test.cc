#include "core/framework/pod_signature.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace stowage {
namespace {

using Build = std::function<void(PodSignature&)>;

PodSignature Signature(const Build& build) {
  PodSignature signature;
  build(signature);
  return signature;
}

// Adds a list of texts as plugins do.
void AddList(const std::vector<std::string_view>& texts, PodSignature* signature) {
  signature->AddCount(texts.size());
  for (std::string_view text : texts) signature->Add(Symbol(text));
}

TEST(PodSignature, IsEqualExactlyForEqualParts) {
  std::vector<std::pair<std::string_view, Build>> different = {
      {"nothing", [](PodSignature&) {}},
      {"zero", [](PodSignature& s) { s.Add(int64_t{0}); }},
      {"a negative number", [](PodSignature& s) { s.Add(int64_t{-1}); }},
      {"a text", [](PodSignature& s) { s.Add(Symbol("a")); }},
      {"another text", [](PodSignature& s) { s.Add(Symbol("b")); }},
      {"two texts",
       [](PodSignature& s) {
         s.Add(Symbol("a"));
         s.Add(Symbol("b"));
       }},
      {"the other way round",
       [](PodSignature& s) {
         s.Add(Symbol("b"));
         s.Add(Symbol("a"));
       }},
      {"lists [a] [b]",
       [](PodSignature& s) {
         AddList({"a"}, &s);
         AddList({"b"}, &s);
       }},
      {"lists [a b] []",
       [](PodSignature& s) {
         AddList({"a", "b"}, &s);
         AddList({}, &s);
       }},
      {"lists [] [a b]",
       [](PodSignature& s) {
         AddList({}, &s);
         AddList({"a", "b"}, &s);
       }},
      {"a list of the empty text", [](PodSignature& s) { AddList({""}, &s); }},
  };
  for (const auto& [name_a, a] : different) {
    for (const auto& [name_b, b] : different) {
      EXPECT_EQ(Signature(a) == Signature(b), name_a == name_b) << name_a << " and " << name_b;
    }
  }
}

TEST(PodSignature, EqualOnesHashAlike) {
  Build build = [](PodSignature& s) {
    AddList({"a", "b"}, &s);
    s.Add(int64_t{7});
  };
  EXPECT_EQ(Signature(build).Hash(), Signature(build).Hash());
  std::unordered_set<PodSignature, PodSignatureHash> set;
  set.insert(Signature(build));
  EXPECT_TRUE(set.contains(Signature(build)));
  EXPECT_FALSE(set.contains(Signature([](PodSignature& s) { AddList({"a", "b"}, &s); })));
}

// Goal: equal words mean equal texts. The signature must keep its texts alive, because another text
// could reuse the entry of a freed one.
TEST(PodSignature, KeepsItsTextsAlive) {
  PodSignature signature = Signature([](PodSignature& s) { s.Add(Symbol("held by it alone")); });
  EXPECT_EQ(Symbol::Find("held by it alone"), "held by it alone");
  PodSignature copy = signature;
  signature = PodSignature();
  EXPECT_EQ(Symbol::Find("held by it alone"), "held by it alone");
  EXPECT_TRUE(copy == Signature([](PodSignature& s) { s.Add(Symbol("held by it alone")); }));
  copy = PodSignature();
  EXPECT_TRUE(Symbol::Find("held by it alone").empty());
}

}  // namespace
}  // namespace stowage
