// Reads the calls that a turn or a query wrote.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "tests/core/scheduler/json_tree.h"

namespace stowage {

// The calls of a Calls line, each with the members of its group as its own; `path` or `url` is its
// URL. `rest` is what follows the line: first the bodies.
inline std::vector<std::pair<JsonTree, std::string>> WrittenCalls(const JsonTree& line,
                                                                  std::string_view rest) {
  std::vector<std::pair<JsonTree, std::string>> calls;
  for (const JsonTree& group : line["groups"].items()) {
    const char* url = group["callKind"].text() == "api" ? "path" : "url";
    for (const JsonTree& call : group["calls"].items()) {
      std::string text;
      JsonWriter json(&text);
      json.BeginObject();
      for (const std::string& key : group.keys()) {
        if (key != "calls") json.StringMember(key, group[key].text());
      }
      json.StringMember("id", call[0].text()).StringMember("pod", call[1].text());
      if (group["method"].exists()) json.StringMember(url, call[2].text());
      if (call.size() > 4) json.StringMember("key", call[4].text());
      json.EndObject();
      auto size = static_cast<size_t>(call[3].number());
      calls.emplace_back(JsonTree::Parse(text), rest.substr(0, size));
      rest.remove_prefix(size);
    }
  }
  return calls;
}

}  // namespace stowage
