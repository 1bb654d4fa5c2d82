#include "core/table/host_port_info.h"

#include <gtest/gtest.h>

#include <vector>

namespace stowage {
namespace {

HostPort Port(std::string_view ip, std::string_view protocol, int32_t port) {
  return HostPort::Make(Symbol(ip), Symbol(protocol), port);
}

TEST(HostPortInfo, DetectsConflicts) {
  struct {
    std::string_view name;
    std::vector<HostPort> used;
    HostPort wanted;
    bool want;
  } cases[] = {
      {"nothing used", {}, Port("", "", 80), false},
      {"the same", {Port("127.0.0.1", "TCP", 80)}, Port("127.0.0.1", "TCP", 80), true},
      {"defaults on both sides", {Port("", "", 80)}, Port("0.0.0.0", "TCP", 80), true},
      {"other port", {Port("", "TCP", 80)}, Port("", "TCP", 81), false},
      {"other protocol", {Port("", "TCP", 80)}, Port("", "UDP", 80), false},
      {"other ip", {Port("127.0.0.1", "TCP", 80)}, Port("127.0.0.2", "TCP", 80), false},
      {"wildcard used", {Port("0.0.0.0", "TCP", 80)}, Port("127.0.0.1", "TCP", 80), true},
      {"wildcard wanted", {Port("127.0.0.1", "TCP", 80)}, Port("0.0.0.0", "TCP", 80), true},
      {"IPv6 wildcard is an address like any",
       {Port("::", "TCP", 80)},
       Port("::1", "TCP", 80),
       false},
      {"port 0", {Port("", "TCP", 0)}, Port("", "TCP", 0), false},
  };
  for (const auto& c : cases) {
    HostPortInfo info;
    for (const HostPort& port : c.used) info.Add(port);
    EXPECT_EQ(info.CheckConflict(c.wanted), c.want) << c.name;
  }
}

// Goal: HostPortInfo is a set. Method: a port that was added twice is free after one removal.
TEST(HostPortInfo, IsASetAndNotACount) {
  HostPortInfo info;
  info.Add(Port("", "", 80));
  info.Add(Port("0.0.0.0", "TCP", 80));
  info.Add(Port("127.0.0.1", "TCP", 80));
  info.Add(Port("", "", 0));
  EXPECT_EQ(info.size(), 2u);
  info.Remove(Port("", "TCP", 80));
  EXPECT_EQ(info.size(), 1u);
  EXPECT_FALSE(info.CheckConflict(Port("127.0.0.2", "TCP", 80)));
  EXPECT_TRUE(info.CheckConflict(Port("127.0.0.1", "TCP", 80)));
  info.Remove(Port("10.0.0.1", "TCP", 80));
  EXPECT_EQ(info.size(), 1u);
  info.Remove(Port("127.0.0.1", "TCP", 80));
  EXPECT_EQ(info.size(), 0u);
}

}  // namespace
}  // namespace stowage
