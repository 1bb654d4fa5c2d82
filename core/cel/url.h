// Url is an absolute URL or an absolute path, parsed like Go's net/url.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/cel/arena.h"

namespace stowage::cel {

class Url {
 public:
  // Parses as Kubernetes converts texts: what url.ParseRequestURI accepts, then without the
  // fragment. Returns the message of the error, such as `parse "a b": invalid URI for request`;
  // empty if the text is good. The parts are kept in the arena, or are views of the text.
  static std::string Parse(std::string_view text, Arena& arena, Url* url);
  // The message of url.ParseRequestURI's error; empty if the text is good.
  static std::string RequestUriFault(std::string_view text);

  std::string_view scheme() const { return parts_[kScheme]; }  // in lower case
  std::string_view host() const { return parts_[kHost]; }      // with the port
  std::string_view Hostname() const;
  std::string_view Port() const;
  std::string EscapedPath() const;
  std::string_view raw_query() const { return parts_[kQuery]; }

  // Whether Go would print the same text.
  friend bool operator==(const Url&, const Url&) = default;

 private:
  friend class UrlParser;
  enum Part : uint8_t {
    kScheme,
    kUser,
    kHost,
    kPath,     // unescaped
    kRawPath,  // as written, if EscapeUrlPath would write the path differently
    kOpaque,   // behind the scheme, if no '/' follows it
    kQuery,
    kFragment,
    kNumParts,
  };

  std::array<std::string_view, kNumParts> parts_;
  bool has_empty_query_ = false;  // a '?' with nothing behind it
  bool has_no_host_ = false;      // "file:/a", unlike "file:///a"
};

}  // namespace stowage::cel
