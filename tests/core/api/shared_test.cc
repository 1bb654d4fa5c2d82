#include "core/api/shared.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/api/meta.h"
#include "core/api/resource_list.h"

namespace stowage {
namespace {

TEST(Shared, IsEmptyUntilItIsSet) {
  Shared<std::string> text;
  EXPECT_FALSE(text.has_value());
  EXPECT_FALSE(text);
  EXPECT_EQ(text, Shared<std::string>());
  text.emplace() = "a";
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(*text, "a");
  EXPECT_EQ(text->size(), 1u);
  EXPECT_FALSE(text == Shared<std::string>());
  text.reset();
  EXPECT_FALSE(text.has_value());
  text.Mutable() += "b";
  EXPECT_EQ(*text, "b");
}

// Goal: a copy allocates no T, and a write through one copy does not show in another.
TEST(Shared, CopiesShareUntilAWrite) {
  Shared<std::string> first(std::string("a"));
  Shared<std::string> second = first;
  EXPECT_TRUE(second.IsSame(first));
  EXPECT_EQ(&*second, &*first);
  second.Mutable() += "b";
  EXPECT_EQ(*first, "a");
  EXPECT_EQ(*second, "ab");
  EXPECT_FALSE(second.IsSame(first));
  const std::string* place = &*second;
  second.Mutable() += "c";
  EXPECT_EQ(&*second, place) << "it has one owner";
  first = second;
  EXPECT_TRUE(second.IsSame(first));
  first.emplace();
  EXPECT_EQ(*first, "");
  EXPECT_EQ(*second, "abc");
}

TEST(Shared, OutlivesTheFirstCopy) {
  Shared<std::string> second;
  {
    Shared<std::string> first(std::string("a"));
    second = first;
    first.Mutable() = "b";
  }
  EXPECT_EQ(*second, "a");
  Shared<std::string>& self = second;
  second = self;
  EXPECT_EQ(*second, "a");
  Shared<std::string> third = std::move(second);
  EXPECT_EQ(*third, "a");
}

TEST(Shared, ComparesByValue) {
  Shared<std::string> first(std::string("a"));
  Shared<std::string> second(std::string("a"));
  EXPECT_FALSE(first.IsSame(second));
  EXPECT_TRUE(first == second);
  second.Mutable() = "b";
  EXPECT_FALSE(first == second);
}

TEST(SharedList, ReadsLikeAVector) {
  SharedList<int> list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
  EXPECT_EQ(list, SharedList<int>(std::vector<int>()));
  EXPECT_EQ(list, (SharedList<int>{}));
  list.push_back(1);
  list.emplace_back() = 2;
  list.push_back(3);
  EXPECT_EQ(list.size(), 3u);
  EXPECT_EQ(list.front(), 1);
  EXPECT_EQ(list.back(), 3);
  EXPECT_EQ(list[1], 2);
  EXPECT_EQ(list.at(2), 3);
  EXPECT_EQ(std::vector<int>(list.begin(), list.end()), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(std::vector<int>(list.rbegin(), list.rend()), (std::vector<int>{3, 2, 1}));
  EXPECT_EQ(list, (SharedList<int>{1, 2, 3}));
  EXPECT_FALSE(list == (SharedList<int>{1, 2}));
  EXPECT_FALSE(list == (SharedList<int>{1, 2, 4}));
}

TEST(SharedList, CopiesShareUntilAWrite) {
  SharedList<int> first = {1, 2};
  SharedList<int> second = first;
  EXPECT_TRUE(second.IsSame(first));
  second.Mutable()[0] = 5;
  EXPECT_EQ(first, (SharedList<int>{1, 2}));
  EXPECT_EQ(second, (SharedList<int>{5, 2}));
  first = second;
  first.clear();
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(second.size(), 2u);
  second.clear();
  EXPECT_TRUE(second.IsSame(first)) << "nothing is nothing";
}

TEST(SharedList, MapsShareTheirEntries) {
  LabelMap labels = {{"a", "1"}, {"b", "2"}};
  LabelMap other_labels = labels;
  EXPECT_TRUE(other_labels.IsSame(labels));
  other_labels.Set(Symbol("a"), Symbol("3"));
  EXPECT_EQ(*labels.Find(Symbol("a")), "1");
  EXPECT_EQ(*other_labels.Find(Symbol("a")), "3");

  ResourceList list;
  list[Symbol("cpu")] = Quantity(1);
  ResourceList other_list = list;
  EXPECT_TRUE(other_list.IsSame(list));
  other_list[Symbol("cpu")].Add(Quantity(1));
  EXPECT_EQ(list.Find(Symbol("cpu"))->Value(), 1);
  EXPECT_EQ(other_list.Find(Symbol("cpu"))->Value(), 2);
}

}  // namespace
}  // namespace stowage
