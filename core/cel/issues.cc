#include "core/cel/issues.h"

#include <algorithm>

#include "core/cel/utf8.h"

namespace stowage::cel {
namespace {

// The marks under a line stay below their characters: wide characters get wide marks.
void AppendMarks(std::string_view before, std::string_view after, std::string* out) {
  while (!before.empty()) {
    *out += static_cast<unsigned char>(before.front()) < 0x80 ? "." : "．";
    TakeCodePoint(&before);
  }
  bool is_wide = !after.empty() && static_cast<unsigned char>(after.front()) >= 0x80;
  *out += is_wide ? "＾" : "^";
}

}  // namespace

void Issues::Report(uint32_t position, std::initializer_list<std::string_view> message) {
  if (issues_.size() == kIssuesMax) return;
  std::string text;
  for (std::string_view part : message) text += part;
  issues_.push_back({position, std::move(text)});
}

void Issues::Append(const Issue& issue, std::string* out) const {
  *out += "ERROR: <input>:";
  if (issue.position == kNoPosition) {
    *out += "-1:0: " + issue.message;
    return;
  }
  std::string_view before = source_.substr(0, issue.position);
  auto line = std::count(before.begin(), before.end(), '\n');
  size_t line_start = line == 0 ? 0 : before.rfind('\n') + 1;
  std::string_view rest = source_.substr(line_start);
  std::string text(rest.substr(0, rest.find('\n')));
  std::string_view columns = before.substr(line_start);
  auto column = std::count_if(columns.begin(), columns.end(),
                              [](char byte) { return (byte & 0xc0) != 0x80; });
  std::string marks;
  AppendMarks(columns, source_.substr(std::min<size_t>(issue.position, source_.size())), &marks);
  std::replace(text.begin(), text.end(), '\t', ' ');
  *out += std::to_string(line + 1) + ':' + std::to_string(column + 1) + ": " + issue.message;
  *out += "\n | " + text + "\n | " + marks;
}

std::string Issues::ToString() const {
  // There are few. Those without a position come first: kNoPosition + 1 is 0.
  std::vector<bool> is_printed(issues_.size());
  std::string text;
  for (size_t count = 0; count < issues_.size(); ++count) {
    size_t next = issues_.size();
    for (size_t place = 0; place < issues_.size(); ++place) {
      bool is_earlier =
          next == issues_.size() || issues_[place].position + 1 < issues_[next].position + 1;
      if (!is_printed[place] && is_earlier) next = place;
    }
    is_printed[next] = true;
    if (!text.empty()) text += '\n';
    Append(issues_[next], &text);
  }
  return text;
}

}  // namespace stowage::cel
