// Issues collects what is wrong with the text of an expression, in cel-go's words and form:
//   ERROR: <input>:1:5: undeclared reference to 'x' (in container '')
//    | 1 + x
//    | ....^
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::cel {

class Issues {
 public:
  // More issues than this are counted only.
  static constexpr size_t kIssuesMax = 100;
  // For limits that concern the whole expression.
  static constexpr uint32_t kNoPosition = UINT32_MAX;

  // `source` must outlive this.
  explicit Issues(std::string_view source) : source_(source) {}

  // `position`: a byte of the source.
  void Report(uint32_t position, std::initializer_list<std::string_view> message);

  bool empty() const { return issues_.empty(); }
  std::string_view source() const { return source_; }
  // All issues in the order of their places, one after the other, without a line break at the end.
  std::string ToString() const;

 private:
  struct Issue {
    uint32_t position;
    std::string message;
  };
  void Append(const Issue& issue, std::string* out) const;

  std::string_view source_;
  std::vector<Issue> issues_;
};

}  // namespace stowage::cel
