#include "core/api/host_ports.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

HostPort Port(std::string_view ip, std::string_view protocol, int32_t port) {
  return HostPort::Make(Symbol(ip), Symbol(protocol), port);
}

TEST(HostPorts, ListsSidecarsBeforeContainers) {
  struct {
    std::string_view name;
    Pod pod;
    std::vector<HostPort> want;
  } cases[] = {
      {"no containers", MakePod(), {}},
      {"no host port", MakePod().HostPort(0), {}},
      {"a negative host port", MakePod().HostPort(-1), {}},
      {"defaults", MakePod().HostPort(80, "", ""), {Port("0.0.0.0", "TCP", 80)}},
      {"as given", MakePod().HostPort(53, "UDP", "127.0.0.1"), {Port("127.0.0.1", "UDP", 53)}},
      {"ordinary init container", MakePod().InitHostPort(80), {}},
      {"sidecar", MakePod().SidecarHostPort(80), {Port("", "", 80)}},
      {"order",
       MakePod().HostPort(1).SidecarHostPort(2).HostPort(3).InitHostPort(4).SidecarHostPort(5),
       {Port("", "", 2), Port("", "", 5), Port("", "", 1), Port("", "", 3)}},
  };
  for (const auto& c : cases) EXPECT_EQ(HostPorts(c.pod), c.want) << c.name;
}

TEST(HostPorts, OnlyTheIpv4WildcardIsAWildcard) {
  EXPECT_TRUE(Port("", "TCP", 80).IsWildcard());
  EXPECT_TRUE(Port("0.0.0.0", "TCP", 80).IsWildcard());
  EXPECT_FALSE(Port("::", "TCP", 80).IsWildcard());
  EXPECT_FALSE(Port("127.0.0.1", "TCP", 80).IsWildcard());
}

}  // namespace
}  // namespace stowage
