#include "core/scheduler/query.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/core/scheduler/json_tree.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

TEST(KeyFromText, SplitsAtTheFirstSlash) {
  struct {
    std::string_view text;
    std::string_view namespace_;
    std::string_view name;
  } cases[] = {{"default/p", "default", "p"}, {"p", "", "p"},  {"", "", ""},
               {"a/b/c", "a", "b/c"},         {"/p", "", "p"}, {"a/", "a", ""}};
  for (const auto& c : cases) {
    // The key's names are looked up, not interned, so they must exist.
    Symbol namespace_(c.namespace_);
    Symbol name(c.name);
    ObjectKey key = KeyFromText(c.text);
    EXPECT_EQ(key.namespace_, namespace_) << c.text;
    EXPECT_EQ(key.name, name) << c.text;
  }
}

TEST(RefuseQuery, NamesThePodAndTheField) {
  std::string out;
  Pod pod = MakePod().Name("p");
  EXPECT_FALSE(RefuseQuery(&pod, InputErrorCode::kFieldValueInvalid, "f", "f: no", &out));
  JsonTree error = JsonTree::Parse(out);
  EXPECT_EQ(error["class"].text(), "InputError");
  EXPECT_EQ(error["code"].text(), "FieldValueInvalid");
  EXPECT_EQ(error["namespace"].text(), "default");
  EXPECT_EQ(error["name"].text(), "p");
  EXPECT_EQ(error["field"].text(), "f");
  EXPECT_EQ(error["message"].text(), "f: no");
  out.clear();
  EXPECT_FALSE(RefuseQuery(nullptr, InputErrorCode::kFieldValueInvalid, "f", "f: no", &out));
  EXPECT_FALSE(JsonTree::Parse(out)["name"].exists());
}

}  // namespace
}  // namespace stowage
