#include "core/api/field_error.h"

#include <algorithm>

#include "core/base/format.h"

namespace stowage {
namespace {

// JSON, as Go's encoding/json writes it (HTML characters escaped).
std::string JsonQuote(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\b':
        quoted += "\\b";
        break;
      case '\f':
        quoted += "\\f";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default: {
        bool is_escaped = static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&';
        if (is_escaped) {
          quoted += Format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          quoted += c;
        }
      }
    }
  }
  return quoted + '"';
}

}  // namespace

std::string GoQuote(std::string_view text) {
  constexpr std::string_view kEscaped = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  std::string quoted = "\"";
  for (char c : text) {
    size_t escape = kEscaped.find(c);
    if (escape != std::string_view::npos) {
      quoted += '\\';
      quoted += kLetters[escape];
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += Format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string ChildPath(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : Format("{}.{}", path, name);
}

std::string IndexPath(std::string_view path, size_t index) { return Format("{}[{}]", path, index); }

std::string InvalidValue(std::string_view path, std::string_view value, std::string_view detail) {
  return Format("{}: Invalid value: {}: {}", path, GoQuote(value), detail);
}

std::string InvalidValue(std::string_view path, const std::vector<Symbol>& values,
                         std::string_view detail) {
  std::string list;
  for (const Symbol& value : values) {
    list += list.empty() ? "[" : ",";
    list += JsonQuote(value.view());
  }
  list = list.empty() ? "null" : list + "]";
  return Format("{}: Invalid value: {}: {}", path, list, detail);
}

std::string UnsupportedValue(std::string_view path, std::string_view value,
                             std::initializer_list<std::string_view> supported) {
  std::string list;
  for (std::string_view name : supported) {
    if (!list.empty()) list += ", ";
    list += GoQuote(name);
  }
  return Format("{}: Unsupported value: {}: supported values: {}", path, JsonQuote(value), list);
}

std::string FieldErrors::Text() const {
  std::vector<std::string_view> seen;
  std::string text;
  for (const std::string& message : messages_) {
    if (std::find(seen.begin(), seen.end(), message) != seen.end()) continue;
    if (!seen.empty()) text += ", ";
    seen.push_back(message);
    text += message;
  }
  return seen.size() > 1 ? Format("[{}]", text) : text;
}

}  // namespace stowage
