#include <gtest/gtest.h>

#include "core/cel/libraries.h"
#include "core/cel/url.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

TEST(UrlFunctions, ReadTheParts) {
  LibraryCaller urls(UrlFunctions());
  struct {
    std::string_view text;
    std::string_view scheme;
    std::string_view host;
    std::string_view hostname;
    std::string_view port;
    std::string_view path;
  } cases[] = {
      {"https://example.com:80/path", "https", "example.com:80", "example.com", "80", "/path"},
      {"HTTPS://Example.com", "https", "Example.com", "Example.com", "", ""},
      {"https://user:pw@example.com/", "https", "example.com", "example.com", "", "/"},
      {"https://[::1]:80/a", "https", "[::1]:80", "::1", "80", "/a"},
      {"https://[::1]/", "https", "[::1]", "::1", "", "/"},
      {"https://[fe80::1%25en0]:8/", "https", "[fe80::1%en0]:8", "fe80::1%en0", "8", "/"},
      {"https://example.com:/", "https", "example.com:", "example.com", "", "/"},
      {"https://ex%C3%A4mple.com/", "https", "exämple.com", "exämple.com", "", "/"},
      {"/path/a b", "", "", "", "", "/path/a%20b"},
      {"/a%2Fb", "", "", "", "", "/a%2Fb"},
      {"/a!b", "", "", "", "", "/a!b"},
      {"/a!b c", "", "", "", "", "/a%21b%20c"},
      {"/ä", "", "", "", "", "/%C3%A4"},
      {"//host/path", "", "host", "host", "", "/path"},
      {"https://example.com/a?b=c", "https", "example.com", "example.com", "", "/a"},
      {"https://example.com/a#b", "https", "example.com", "example.com", "", "/a"},
      {"mailto:a@b.c", "mailto", "", "", "", ""},
      {"*", "", "", "", "", "*"},
      {"file:///etc/hosts", "file", "", "", "", "/etc/hosts"},
  };
  for (const auto& c : cases) {
    Value url = urls.Call("url", {S(c.text)});
    auto expect = [&](std::string_view name, std::string_view want) {
      EXPECT_EQ(urls.Print(name, {url}), "'" + std::string(want) + "'") << name << " " << c.text;
    };
    EXPECT_EQ(urls.Print("isURL", {S(c.text)}), "true") << c.text;
    expect("getScheme", c.scheme);
    expect("getHost", c.host);
    expect("getHostname", c.hostname);
    expect("getPort", c.port);
    expect("getEscapedPath", c.path);
  }
}

TEST(UrlFunctions, ReadTheQuery) {
  LibraryCaller urls(UrlFunctions());
  struct {
    std::string_view text;
    std::string_view query;
  } cases[] = {
      {"/?k1=a&k2=b&k1=c", "{'k1': ['a', 'c'], 'k2': ['b']}"},
      {"/?a+b=c%20d", "{'a b': ['c d']}"},
      {"/?a", "{'a': ['']}"},
      {"/?=x&&b=", "{'': ['x'], 'b': ['']}"},
      {"/?a=1;b=2&c=%zz&d=3", "{'d': ['3']}"},
      {"/?", "{}"},
      {"/", "{}"},
      {"/?a=b=c", "{'a': ['b=c']}"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(urls.Print("getQuery", {urls.Call("url", {S(c.text)})}), c.query) << c.text;
  }
}

TEST(UrlFunctions, ReportErrors) {
  LibraryCaller urls(UrlFunctions());
  struct {
    std::string_view text;
    std::string_view reason;
  } cases[] = {
      {"", "parse \"\": empty url"},
      {"abc", "parse \"abc\": invalid URI for request"},
      {"../a", "parse \"../a\": invalid URI for request"},
      {"#a", "parse \"#a\": invalid URI for request"},
      {":a", "parse \":a\": missing protocol scheme"},
      {"1a:b", "parse \"1a:b\": invalid URI for request"},
      {"/a\nb", "parse \"/a\\nb\": net/url: invalid control character in URL"},
      {"/a%zz", "parse \"/a%zz\": invalid URL escape \"%zz\""},
      {"/a%2", "parse \"/a%2\": invalid URL escape \"%2\""},
      {"https://a b/", "parse \"https://a b/\": invalid character \" \" in host name"},
      {"https://a%41/", "parse \"https://a%41/\": invalid URL escape \"%41\""},
      {"https://a:b/", "parse \"https://a:b/\": invalid port \":b\" after host"},
      {"https://a:1:2/", "parse \"https://a:1:2/\": invalid port \":1:2\" after host"},
      {"https://[::1/", "parse \"https://[::1/\": missing ']' in host"},
      {"https://[::1]a/", "parse \"https://[::1]a/\": invalid port \"a\" after host"},
      {"https://[1.2.3.4]/", "parse \"https://[1.2.3.4]/\": invalid IP-literal"},
      {"https://[x]/",
       "parse \"https://[x]/\": invalid host: ParseAddr(\"x\"): unable to parse IP"},
      {"https://a b@c/", "parse \"https://a b@c/\": net/url: invalid userinfo"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(urls.Print("url", {S(c.text)}),
              "error: URL parse error during conversion from string: " + std::string(c.reason));
    EXPECT_EQ(urls.Print("isURL", {S(c.text)}), "false") << c.text;
  }
}

TEST(UrlFunctions, CompareUrls) {
  LibraryCaller urls(UrlFunctions());
  auto url = [&](std::string_view text) { return urls.Call("url", {S(text)}); };
  EXPECT_TRUE(Equal(url("HTTPS://a.b/c"), url("https://a.b/c")));
  EXPECT_FALSE(Equal(url("https://a.b/c"), url("https://a.b/d")));
  EXPECT_FALSE(Equal(url("https://a.b/c?d"), url("https://a.b/c")));
  EXPECT_FALSE(Equal(url("https://a.b/c#d"), url("https://a.b/c#e")));
  // Their texts are compared.
  EXPECT_FALSE(Equal(url("https://a.b/c?"), url("https://a.b/c")));
  EXPECT_FALSE(Equal(url("a:b?"), url("a:b")));
  EXPECT_FALSE(Equal(url("file:/a"), url("file:///a")));
  EXPECT_TRUE(Equal(url("https://a.b/c#"), url("https://a.b/c")));
  EXPECT_EQ(urls.Cost("url", {S("https://a.b/c")}), 2u);
  EXPECT_EQ(urls.Cost("getHost", {url("https://a.b/c")}), 1u);
}

}  // namespace
}  // namespace stowage::cel
