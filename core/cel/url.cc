#include "core/cel/url.h"

#include <algorithm>

#include "core/base/split.h"
#include "core/cel/ip_address.h"
#include "core/cel/libraries.h"
#include "core/cel/url_escapes.h"

namespace stowage::cel {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Parses one URL. After a fault, error() has its reason.
class UrlParser {
 public:
  explicit UrlParser(Url* url) : url_(url) {}

  bool Parse(std::string_view text, bool is_request);
  bool ParseFragment(std::string_view fragment) {
    return Unescape(fragment, UrlPart::kFragment, &url_->fragment);
  }
  const std::string& error() const { return error_; }

 private:
  bool Fail(std::string_view reason) {
    error_ = reason;
    return false;
  }
  bool Unescape(std::string_view text, UrlPart part, std::string* out) {
    return UnescapeUrl(text, part, out) || Fail(*out);
  }
  bool ParseScheme(std::string_view* text);
  bool ParseAuthority(std::string_view authority);
  bool ParseHost(std::string_view host);
  bool ParseIpLiteral(std::string_view host, size_t open);
  bool CheckPort(std::string_view colon_port);
  bool ParsePath(std::string_view path);

  Url* url_;
  std::string error_;
};

// Empty, or ':' and digits.
bool IsOptionalPort(std::string_view port) {
  if (port.empty()) return true;
  return port[0] == ':' && std::all_of(port.begin() + 1, port.end(), IsDigit);
}

bool UrlParser::CheckPort(std::string_view colon_port) {
  return IsOptionalPort(colon_port) || Fail("invalid port " + Quoted(colon_port) + " after host");
}

bool UrlParser::ParseScheme(std::string_view* text) {
  for (size_t place = 0; place < text->size(); ++place) {
    char c = (*text)[place];
    if (IsLetter(c)) continue;
    if (c == ':') {
      if (place == 0) return Fail("missing protocol scheme");
      for (char letter : text->substr(0, place)) {
        url_->scheme += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
      }
      text->remove_prefix(place + 1);
      return true;
    }
    bool is_inner = IsDigit(c) || c == '+' || c == '-' || c == '.';
    if (!is_inner || place == 0) return true;
  }
  return true;
}

bool UrlParser::Parse(std::string_view text, bool is_request) {
  bool has_control = std::any_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<uint8_t>(c) < ' ' || c == 0x7F; });
  if (has_control) return Fail("net/url: invalid control character in URL");
  if (text.empty() && is_request) return Fail("empty url");
  if (text == "*") {
    url_->path = "*";
    return true;
  }
  if (!ParseScheme(&text)) return false;
  bool has_scheme = !url_->scheme.empty();
  size_t question = text.find('?');
  if (question != kNone) url_->raw_query = text.substr(question + 1);
  text = text.substr(0, question);
  if (!text.starts_with('/')) {
    if (has_scheme) {
      url_->opaque = text;
      return true;
    }
    if (is_request) return Fail("invalid URI for request");
    if (text.substr(0, text.find('/')).find(':') != kNone) {
      return Fail("first path segment in URL cannot contain colon");
    }
  }
  bool has_authority = has_scheme || (!is_request && !text.starts_with("///"));
  if (has_authority && text.starts_with("//")) {
    text.remove_prefix(2);
    size_t slash = std::min(text.find('/'), text.size());
    if (!ParseAuthority(text.substr(0, slash))) return false;
    text.remove_prefix(slash);
  }
  return ParsePath(text);
}

bool UrlParser::ParseAuthority(std::string_view authority) {
  size_t at = authority.rfind('@');
  if (!ParseHost(at == kNone ? authority : authority.substr(at + 1))) return false;
  if (at == kNone) return true;
  std::string_view user = authority.substr(0, at);
  bool is_valid = std::all_of(user.begin(), user.end(), [](char c) {
    return IsLetter(c) || IsDigit(c) || std::string_view("-._:~!$&'()*+,;=%@").find(c) != kNone;
  });
  if (!is_valid) return Fail("net/url: invalid userinfo");
  url_->user = user;
  std::string unescaped;
  return Unescape(user, UrlPart::kUser, &unescaped);
}

bool UrlParser::ParseHost(std::string_view host) {
  size_t open = host.rfind('[');
  if (open != kNone) return ParseIpLiteral(host, open);
  size_t colon = host.find(':');
  if (colon != kNone && !CheckPort(host.substr(colon))) return false;
  return Unescape(host, UrlPart::kHost, &url_->host);
}

// "[::1]:80", with a zone as "[fe80::1%25eth0]".
bool UrlParser::ParseIpLiteral(std::string_view host, size_t open) {
  size_t close = host.rfind(']');
  if (close == kNone) return Fail("missing ']' in host");
  if (close < open) return Fail("invalid host: " + Quoted(host));
  std::string_view colon_port = host.substr(close + 1);
  if (!CheckPort(colon_port)) return false;
  std::string_view name = host.substr(open + 1, close - open - 1);
  size_t zone_begin = std::min(name.find("%25"), name.size());
  std::string address;
  std::string zone;
  if (!Unescape(name.substr(0, zone_begin), UrlPart::kHost, &address)) return false;
  if (!Unescape(name.substr(zone_begin), UrlPart::kZone, &zone)) return false;
  address += zone;
  bool has_zone = false;
  Result<IpAddress, IpError> parsed = IpAddress::Parse(address, &has_zone);
  if (!parsed.ok()) return Fail("invalid host: " + parsed.fault().message);
  if (parsed->is_v4()) return Fail("invalid IP-literal");
  url_->host.append("[").append(address).append("]").append(colon_port);
  return true;
}

bool UrlParser::ParsePath(std::string_view path) {
  if (!Unescape(path, UrlPart::kPath, &url_->path)) return false;
  if (EscapeUrlPath(url_->path) != path) url_->raw_path = path;
  return true;
}

std::string FaultText(std::string_view url, std::string_view reason) {
  return "parse " + Quoted(url) + ": " + std::string(reason);
}

// Host and port without the colon between them.
std::pair<std::string, std::string> SplitHost(const std::string& host) {
  std::string_view name = host;
  std::string_view port;
  size_t colon = name.rfind(':');
  if (colon != kNone && IsOptionalPort(name.substr(colon))) {
    port = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return {std::string(name), std::string(port)};
}

}  // namespace

std::string Url::RequestUriFault(std::string_view text) {
  Url url;
  UrlParser parser(&url);
  return parser.Parse(text, true) ? std::string() : FaultText(text, parser.error());
}

Result<Url, UrlError> Url::Parse(std::string_view text) {
  std::string fault = RequestUriFault(text);
  if (!fault.empty()) return UrlError{fault};
  Url url;
  UrlParser parser(&url);
  size_t hash = std::min(text.find('#'), text.size());
  std::string_view before = text.substr(0, hash);
  if (!parser.Parse(before, false)) return UrlError{FaultText(before, parser.error())};
  bool has_fragment = hash + 1 < text.size();
  if (has_fragment && !parser.ParseFragment(text.substr(hash + 1))) {
    return UrlError{FaultText(text, parser.error())};
  }
  return url;
}

std::string Url::Hostname() const { return SplitHost(host).first; }
std::string Url::Port() const { return SplitHost(host).second; }

std::string Url::EscapedPath() const {
  if (!raw_path.empty() && IsEscapedUrlPath(raw_path)) return raw_path;
  return path == "*" ? path : EscapeUrlPath(path);
}

std::vector<std::pair<std::string, std::vector<std::string>>> Url::Query() const {
  std::vector<std::pair<std::string, std::vector<std::string>>> query;
  for (std::string_view pair : Split(raw_query, "&")) {
    if (pair.empty() || pair.find(';') != kNone) continue;
    size_t equals = std::min(pair.find('='), pair.size());
    std::string key;
    std::string value;
    bool is_good =
        UnescapeUrl(pair.substr(0, equals), UrlPart::kQuery, &key) &&
        UnescapeUrl(pair.substr(std::min(equals + 1, pair.size())), UrlPart::kQuery, &value);
    if (!is_good) continue;
    auto known = std::find_if(query.begin(), query.end(),
                              [&](const auto& entry) { return entry.first == key; });
    if (known == query.end()) known = query.insert(query.end(), {key, {}});
    known->second.push_back(value);
  }
  return query;
}

}  // namespace stowage::cel
