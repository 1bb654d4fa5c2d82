#include "core/cel/url.h"

#include <algorithm>

#include "core/cel/ip_address.h"
#include "core/cel/libraries.h"
#include "core/cel/url_escapes.h"

namespace stowage::cel {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Empty, or ':' and digits.
bool IsOptionalPort(std::string_view port) {
  if (port.empty()) return true;
  return port[0] == ':' && std::all_of(port.begin() + 1, port.end(), IsDigit);
}

std::string FaultText(std::string_view url, std::string_view reason) {
  return "parse " + Quoted(url) + ": " + std::string(reason);
}

// The byte of the colon before the port; the size of the host if there is none.
size_t PortColon(std::string_view host) {
  size_t colon = host.rfind(':');
  return colon != kNone && IsOptionalPort(host.substr(colon)) ? colon : host.size();
}

}  // namespace

// Parses one URL. After a fault, error() has its reason.
class UrlParser {
 public:
  UrlParser(Arena& arena, Url* url) : arena_(arena), url_(url) {}

  bool Parse(std::string_view text, bool is_request);
  bool ParseFragment(std::string_view fragment) {
    return Unescape(fragment, UrlPart::kFragment) && Keep(Url::kFragment);
  }
  const std::string& error() const { return error_; }

 private:
  bool Fail(std::string_view reason) {
    error_ = reason;
    return false;
  }
  // Leaves the text in buffer_.
  bool Unescape(std::string_view text, UrlPart part) {
    return UnescapeUrl(text, part, &buffer_) || Fail(buffer_);
  }
  bool Keep(Url::Part part) {
    url_->parts_[part] = arena_.Copy(buffer_);
    return true;
  }
  bool ParseScheme(std::string_view* text);
  bool ParseAuthority(std::string_view authority);
  bool ParseHost(std::string_view host);
  bool ParseIpLiteral(std::string_view host, size_t open);
  bool CheckPort(std::string_view colon_port);
  bool ParsePath(std::string_view path);

  Arena& arena_;
  Url* url_;
  std::string buffer_;
  std::string error_;
};

bool UrlParser::CheckPort(std::string_view colon_port) {
  return IsOptionalPort(colon_port) || Fail("invalid port " + Quoted(colon_port) + " after host");
}

bool UrlParser::ParseScheme(std::string_view* text) {
  for (size_t place = 0; place < text->size(); ++place) {
    char c = (*text)[place];
    if (IsLetter(c)) continue;
    if (c == ':') {
      if (place == 0) return Fail("missing protocol scheme");
      buffer_.assign(text->data(), place);
      for (char& letter : buffer_) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + ('a' - 'A'));
      }
      Keep(Url::kScheme);
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
    url_->parts_[Url::kPath] = text;
    return true;
  }
  if (!ParseScheme(&text)) return false;
  bool has_scheme = !url_->scheme().empty();
  size_t question = text.find('?');
  if (question != kNone) url_->parts_[Url::kQuery] = text.substr(question + 1);
  url_->has_empty_query_ = question != kNone && question + 1 == text.size();
  text = text.substr(0, question);
  if (!text.starts_with('/')) {
    if (has_scheme) {
      url_->parts_[Url::kOpaque] = text;
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
  } else {
    url_->has_no_host_ = has_scheme;
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
  url_->parts_[Url::kUser] = user;
  return Unescape(user, UrlPart::kUser);
}

bool UrlParser::ParseHost(std::string_view host) {
  size_t open = host.rfind('[');
  if (open != kNone) return ParseIpLiteral(host, open);
  size_t colon = host.find(':');
  if (colon != kNone && !CheckPort(host.substr(colon))) return false;
  return Unescape(host, UrlPart::kHost) && Keep(Url::kHost);
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
  if (!Unescape(name.substr(0, zone_begin), UrlPart::kHost)) return false;
  std::string address = buffer_;
  if (!Unescape(name.substr(zone_begin), UrlPart::kZone)) return false;
  address += buffer_;
  bool has_zone = false;
  Result<IpAddress, IpError> parsed = IpAddress::Parse(address, &has_zone);
  if (!parsed.ok()) return Fail("invalid host: " + parsed.fault().message);
  if (parsed->is_v4()) return Fail("invalid IP-literal");
  buffer_ = "[";
  buffer_.append(address).append("]").append(colon_port);
  return Keep(Url::kHost);
}

bool UrlParser::ParsePath(std::string_view path) {
  if (!Unescape(path, UrlPart::kPath)) return false;
  if (EscapeUrlPath(buffer_) != path) url_->parts_[Url::kRawPath] = path;
  return Keep(Url::kPath);
}

std::string Url::RequestUriFault(std::string_view text) {
  Arena arena;
  Url url;
  UrlParser parser(arena, &url);
  return parser.Parse(text, true) ? std::string() : FaultText(text, parser.error());
}

std::string Url::Parse(std::string_view text, Arena& arena, Url* url) {
  std::string fault = RequestUriFault(text);
  if (!fault.empty()) return fault;
  UrlParser parser(arena, url);
  size_t hash = std::min(text.find('#'), text.size());
  std::string_view before = text.substr(0, hash);
  if (!parser.Parse(before, false)) return FaultText(before, parser.error());
  bool has_fragment = hash + 1 < text.size();
  if (has_fragment && !parser.ParseFragment(text.substr(hash + 1))) {
    return FaultText(text, parser.error());
  }
  return {};
}

std::string_view Url::Hostname() const {
  std::string_view name = host().substr(0, PortColon(host()));
  bool is_literal = name.starts_with('[') && name.ends_with(']');
  return is_literal ? name.substr(1, name.size() - 2) : name;
}

std::string_view Url::Port() const {
  std::string_view port = host().substr(PortColon(host()));
  return port.empty() ? port : port.substr(1);
}

std::string Url::EscapedPath() const {
  std::string_view raw = parts_[kRawPath];
  if (!raw.empty() && IsEscapedUrlPath(raw)) return std::string(raw);
  std::string_view path = parts_[kPath];
  return path == "*" ? std::string(path) : EscapeUrlPath(path);
}

}  // namespace stowage::cel
