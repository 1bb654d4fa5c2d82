// Reads JSON lines from standard input and prints how fast our own reader and nlohmann_json's lexer
// split them into tokens, for `npm run bench -- --only tokens`.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/json_reader.h"

namespace {

using Json = nlohmann::json;

// Counts the tokens of either reader.
struct OwnSink {
  bool Null() { return ++count > 0; }
  bool Bool(bool) { return ++count > 0; }
  bool Number(std::string_view text) { return (count += text.size()) > 0; }
  bool String(std::string_view text) { return (count += text.size() + 1) > 0; }
  bool Key(std::string_view text) { return (count += text.size() + 1) > 0; }
  bool OpenObject() { return ++count > 0; }
  bool CloseObject() { return ++count > 0; }
  bool OpenArray() { return ++count > 0; }
  bool CloseArray() { return ++count > 0; }

  size_t count = 0;
};

struct LibrarySink {
  // NOLINTBEGIN(readability-identifier-naming): the library defines the names.
  bool null() { return own.Null(); }
  bool boolean(bool value) { return own.Bool(value); }
  bool number_integer(Json::number_integer_t) { return own.Null(); }
  bool number_unsigned(Json::number_unsigned_t) { return own.Null(); }
  bool number_float(Json::number_float_t, const std::string& text) { return own.Number(text); }
  bool string(const std::string& text) { return own.String(text); }
  bool binary(const Json::binary_t&) { return false; }
  bool start_object(size_t) { return own.OpenObject(); }
  bool key(const std::string& text) { return own.Key(text); }
  bool end_object() { return own.CloseObject(); }
  bool start_array(size_t) { return own.OpenArray(); }
  bool end_array() { return own.CloseArray(); }
  bool parse_error(size_t, const std::string&, const Json::exception&) { return false; }
  // NOLINTEND

  OwnSink own;
};

bool ReadOwn(std::string_view line, size_t* count) {
  OwnSink sink;
  stowage::JsonReader reader(line, {});
  bool is_json = reader.WalkValue(sink) && reader.IsAtEnd();
  *count += sink.count;
  return is_json;
}

bool ReadByLibrary(std::string_view line, size_t* count) {
  LibrarySink sink;
  bool is_json = Json::sax_parse(line.data(), line.data() + line.size(), &sink);
  *count += sink.own.count;
  return is_json;
}

// Megabytes per second, the best of several rounds; 0 if a line is invalid JSON.
double Measure(const std::vector<std::string>& lines, bool (*read)(std::string_view, size_t*)) {
  constexpr int kRounds = 12;
  size_t bytes = 0;
  for (const std::string& line : lines) bytes += line.size();
  double best = 0;
  size_t count = 0;
  for (int round = 0; round < kRounds; ++round) {
    auto begin = std::chrono::steady_clock::now();
    for (const std::string& line : lines) {
      if (!read(line, &count)) return 0;
    }
    std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
    best = std::max(best, static_cast<double>(bytes) / spent.count());
  }
  return count > 0 ? best : 0;
}

}  // namespace

int main() {
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  std::printf("{\"own\":%.1f,\"nlohmann\":%.1f}\n", Measure(lines, ReadOwn),
              Measure(lines, ReadByLibrary));
}
