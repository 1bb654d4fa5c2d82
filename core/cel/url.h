// Url is an absolute URL or an absolute path, parsed like Go's net/url.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace stowage::cel {

// The message of the error: `parse "a b": invalid URI for request`.
struct UrlError {
  std::string message;
};

struct Url {
  std::string scheme;  // in lower case
  std::string user;    // as written
  std::string host;    // with the port
  std::string path;    // unescaped
  std::string raw_path;
  std::string opaque;  // behind the scheme, if no '/' follows it
  std::string raw_query;
  std::string fragment;

  // As Kubernetes converts texts: what url.ParseRequestURI accepts, then without the fragment.
  static Result<Url, UrlError> Parse(std::string_view text);
  // The message of url.ParseRequestURI's error; empty if the text is good.
  static std::string RequestUriFault(std::string_view text);

  std::string Hostname() const;
  std::string Port() const;
  std::string EscapedPath() const;
  // Keys with their values, in the order of their first appearance; what cannot be unescaped is
  // left out.
  std::vector<std::pair<std::string, std::vector<std::string>>> Query() const;

  friend bool operator==(const Url&, const Url&) = default;
};

}  // namespace stowage::cel
