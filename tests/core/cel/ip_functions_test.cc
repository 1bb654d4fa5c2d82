#include <gtest/gtest.h>

#include "core/cel/ip_address.h"
#include "core/cel/libraries.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

std::string Canonical(std::string_view text) {
  bool has_zone = false;
  Result<IpAddress, IpError> address = IpAddress::Parse(text, &has_zone);
  return address.ok() ? address->ToString() : address.fault().message;
}

TEST(IpAddress, PrintsTheCanonicalText) {
  struct {
    std::string_view text;
    std::string_view canonical;
  } cases[] = {
      {"192.168.0.1", "192.168.0.1"},
      {"0.0.0.0", "0.0.0.0"},
      {"::", "::"},
      {"::1", "::1"},
      {"1::", "1::"},
      {"2001:DB8::A", "2001:db8::a"},
      {"2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"},
      {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
      {"1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"},
      {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
      {"0:0:3:4:5:6:7:8", "::3:4:5:6:7:8"},
      {"1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"},
      {"::ffff:1.2.3.4", "::ffff:1.2.3.4"},
      {"::ffff:102:304", "::ffff:1.2.3.4"},
      {"64:ff9b::1.2.3.4", "64:ff9b::102:304"},
      {"1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"},
      {"fe80::1%eth0", "fe80::1"},
  };
  for (const auto& c : cases) EXPECT_EQ(Canonical(c.text), c.canonical) << c.text;
}

TEST(IpAddress, ReportsErrors) {
  struct {
    std::string_view text;
    std::string_view reason;
  } cases[] = {
      {"", "unable to parse IP"},
      {"abc", "unable to parse IP"},
      {"%eth0", "missing IPv6 address"},
      {"1.2.3", "IPv4 address too short"},
      {"1.2.3.4.5", "IPv4 address too long"},
      {"1.2.3.256", "IPv4 field has value >255"},
      {"1.2.3.04", "IPv4 field has octet with leading zero"},
      {"1..2.3", "IPv4 field must have at least one digit (at \".2.3\")"},
      {".1.2.3", "IPv4 field must have at least one digit (at \".1.2.3\")"},
      {"1.2.3.", "IPv4 field must have at least one digit (at \".\")"},
      {"1.2.3.x", "unexpected character (at \"x\")"},
      {":", "each colon-separated field must have at least one digit (at \":\")"},
      {"12345::", "each group must have 4 or less digits (at \"12345::\")"},
      {"1:2", "address string too short"},
      {"1:", "colon must be followed by more characters (at \":\")"},
      {"1::2::3", "multiple :: in address (at \":3\")"},
      {"1:2:3:4:5:6:7:8:9", "trailing garbage after address (at \"9\")"},
      {"1:2:3:4:5:6:7::8", "the :: must expand to at least one field of zeros"},
      {"1::g", "each colon-separated field must have at least one digit (at \"g\")"},
      {"1:2g", "unexpected character, want colon (at \"g\")"},
      {"fe80::1%", "zone must be a non-empty string"},
      {"1:2:1.2.3.4",
       "embedded IPv4 address must replace the final 2 fields of the address (at \"1.2.3.4\")"},
      {"::1:2:3:4:5:6:7:1.2.3.4",
       "too many hex fields to fit an embedded IPv4 at the end of the address (at \"1.2.3.4\")"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Canonical(c.text),
              "ParseAddr(\"" + std::string(c.text) + "\"): " + std::string(c.reason));
  }
}

TEST(IpPrefix, ParsesAndReportsErrors) {
  struct {
    std::string_view text;
    std::string_view result;
  } cases[] = {
      {"10.1.2.3/8", "10.1.2.3/8"},
      {"0.0.0.0/0", "0.0.0.0/0"},
      {"2001:DB8::/128", "2001:db8::/128"},
      {"10.0.0.0", "netip.ParsePrefix(\"10.0.0.0\"): no '/'"},
      {"10.0.0/8",
       "netip.ParsePrefix(\"10.0.0/8\"): ParseAddr(\"10.0.0\"): IPv4 address too short"},
      {"10.0.0.0/33", "netip.ParsePrefix(\"10.0.0.0/33\"): prefix length out of range"},
      {"10.0.0.0/08", "netip.ParsePrefix(\"10.0.0.0/08\"): bad bits after slash: \"08\""},
      {"10.0.0.0/", "netip.ParsePrefix(\"10.0.0.0/\"): bad bits after slash: \"\""},
      {"10.0.0.0/-1", "netip.ParsePrefix(\"10.0.0.0/-1\"): bad bits after slash: \"-1\""},
      {"fe80::1%a/64",
       "netip.ParsePrefix(\"fe80::1%a/64\"): IPv6 zones cannot be present in a prefix"},
  };
  for (const auto& c : cases) {
    Result<IpPrefix, IpError> prefix = IpPrefix::Parse(c.text);
    EXPECT_EQ(prefix.ok() ? prefix->ToString() : prefix.fault().message, c.result);
  }
}

TEST(IpFunctions, ConvertTexts) {
  LibraryCaller ips(IpFunctions());
  EXPECT_EQ(ips.Print("ip", {S("127.0.0.1")}), "net.IP");
  EXPECT_EQ(ips.Print("ip", {S("1.2.3")}),
            "error: IP Address \"1.2.3\" parse error during conversion from string: "
            "ParseAddr(\"1.2.3\"): IPv4 address too short");
  EXPECT_EQ(ips.Print("ip", {S("fe80::1%eth0")}),
            "error: IP address \"fe80::1%eth0\" with zone value is not allowed");
  EXPECT_EQ(ips.Print("ip", {S("::ffff:1.2.3.4")}),
            "error: IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed");
  for (std::string_view text : {"127.0.0.1", "::1", "2001:DB8::"}) {
    EXPECT_EQ(ips.Print("isIP", {S(text)}), "true") << text;
  }
  for (std::string_view text : {"127.0.0.01", "::1%a", "::ffff:1.2.3.4", "1.2.3.4/8", ""}) {
    EXPECT_EQ(ips.Print("isIP", {S(text)}), "false") << text;
  }
  EXPECT_EQ(ips.Print("ip.isCanonical", {S("2001:db8::")}), "true");
  EXPECT_EQ(ips.Print("ip.isCanonical", {S("2001:DB8::")}), "false");
  EXPECT_EQ(ips.Print("ip.isCanonical", {S("a")}),
            "error: IP Address \"a\" parse error during conversion from string: "
            "ParseAddr(\"a\"): unable to parse IP");
  EXPECT_EQ(ips.Print("string", {ips.Call("ip", {S("2001:DB8::1")})}), "'2001:db8::1'");
}

// Goal: the properties of addresses. Method: one letter per property that holds.
TEST(IpFunctions, KnowKindsOfAddresses) {
  LibraryCaller ips(IpFunctions());
  struct {
    std::string_view text;
    std::string_view properties;
  } cases[] = {
      {"0.0.0.0", "4u"},     {"::", "6u"},       {"127.0.0.99", "4l"},     {"::1", "6l"},
      {"224.0.0.1", "4m"},   {"224.0.1.1", "4"}, {"ff02::1", "6m"},        {"ff05::1", "6"},
      {"169.254.1.1", "4n"}, {"fe80::1", "6n"},  {"fec0::1", "6g"},        {"192.168.0.1", "4g"},
      {"8.8.8.8", "4g"},     {"fd00::1", "6g"},  {"255.255.255.255", "4"}, {"2001:db8::abcd", "6g"},
  };
  for (const auto& c : cases) {
    Value address = ips.Call("ip", {S(c.text)});
    std::string properties = ips.Print("family", {address});
    auto add = [&](std::string_view name, char letter) {
      if (ips.Call(name, {address}).is_true()) properties += letter;
    };
    add("isUnspecified", 'u');
    add("isLoopback", 'l');
    add("isLinkLocalMulticast", 'm');
    add("isLinkLocalUnicast", 'n');
    add("isGlobalUnicast", 'g');
    EXPECT_EQ(properties, c.properties) << c.text;
  }
}

TEST(IpFunctions, CompareNetworks) {
  LibraryCaller ips(IpFunctions());
  struct {
    std::string_view network;
    std::string_view name;
    std::string_view other;
    std::string_view result;
  } cases[] = {
      {"192.168.0.0/24", "containsIP", "192.168.0.1", "true"},
      {"192.168.0.0/24", "containsIP", "192.168.1.1", "false"},
      {"192.168.0.0/24", "containsIP", "::1", "false"},
      {"0.0.0.0/0", "containsIP", "8.8.8.8", "true"},
      {"2001:db8::/32", "containsIP", "2001:db8:ffff::1", "true"},
      {"2001:db8::/33", "containsIP", "2001:db8:ffff::1", "false"},
      {"192.168.0.0/16", "containsCIDR", "192.168.10.0/24", "true"},
      {"192.168.0.0/24", "containsCIDR", "192.168.0.0/16", "false"},
      {"192.168.0.0/24", "containsCIDR", "192.168.0.0/24", "true"},
      {"192.168.0.0/24", "containsCIDR", "10.0.0.0/24", "false"},
      {"2001:db8::/32", "containsCIDR", "10.0.0.0/32", "false"},
  };
  for (const auto& c : cases) {
    Value network = ips.Call("cidr", {S(c.network)});
    std::string_view convert = c.name == "containsIP" ? "ip" : "cidr";
    EXPECT_EQ(ips.Print(c.name, {network, S(c.other)}), c.result) << c.network << c.other;
    EXPECT_EQ(ips.Print(c.name, {network, ips.Call(convert, {S(c.other)})}), c.result)
        << c.network << c.other;
  }
  Value network = ips.Call("cidr", {S("192.168.10.7/24")});
  EXPECT_EQ(ips.Print("string", {network}), "'192.168.10.7/24'");
  EXPECT_EQ(ips.Print("string", {ips.Call("masked", {network})}), "'192.168.10.0/24'");
  EXPECT_EQ(ips.Print("string", {ips.Call("ip", {network})}), "'192.168.10.7'");
  EXPECT_EQ(ips.Print("prefixLength", {network}), "24");
  EXPECT_EQ(ips.Print("isCIDR", {S("10.0.0.0/8")}), "true");
  EXPECT_EQ(ips.Print("isCIDR", {S("10.0.0.0")}), "false");
  EXPECT_EQ(ips.Print("isCIDR", {S("::ffff:1.2.3.4/100")}), "false");
  EXPECT_EQ(ips.Print("cidr", {S("1.2.3.4")}),
            "error: network address parse error during conversion from string: "
            "network address parse error during conversion from string: "
            "netip.ParsePrefix(\"1.2.3.4\"): no '/'");
  EXPECT_EQ(ips.Print("cidr", {S("::ffff:1.2.3.4/100")}),
            "error: network address parse error during conversion from string: "
            "IPv4-mapped IPv6 address \"::ffff:1.2.3.4/100\" is not allowed");
  EXPECT_EQ(ips.Print("containsCIDR", {network, S("::ffff:1.2.3.4/100")}),
            "error: network address parse error during conversion from string: "
            "IPv4-mapped IPv6 address \"::ffff:1.2.3.4/100\" is not allowed");
  EXPECT_EQ(ips.Print("containsIP", {network, S("x")}), "error: no such overload");
}

TEST(IpFunctions, HaveEqualityByAddress) {
  LibraryCaller ips(IpFunctions());
  EXPECT_TRUE(Equal(ips.Call("ip", {S("2001:DB8::1")}), ips.Call("ip", {S("2001:db8::1")})));
  EXPECT_FALSE(Equal(ips.Call("ip", {S("1.2.3.4")}), ips.Call("ip", {S("1.2.3.5")})));
  EXPECT_FALSE(Equal(ips.Call("ip", {S("0.0.0.0")}), ips.Call("ip", {S("::")})));
  EXPECT_TRUE(Equal(ips.Call("cidr", {S("::1/64")}), ips.Call("cidr", {S("0::1/64")})));
  EXPECT_FALSE(Equal(ips.Call("cidr", {S("::1/64")}), ips.Call("cidr", {S("::1/65")})));
  EXPECT_EQ(ips.Cost("ip", {S("192.168.0.1")}), 2u);
  EXPECT_EQ(ips.Cost("ip.isCanonical", {S("192.168.0.1")}), 3u);
  EXPECT_EQ(ips.Cost("family", {ips.Call("ip", {S("::")})}), 1u);
}

}  // namespace
}  // namespace stowage::cel
