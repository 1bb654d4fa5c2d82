
#include "core/base/format.h"
#include "core/cel/ip_address.h"
#include "core/cel/libraries.h"

namespace stowage::cel {

const OpaqueKind kIpKind = {"net.IP", [](const void* a, const void* b) {
                              return *static_cast<const IpAddress*>(a) ==
                                     *static_cast<const IpAddress*>(b);
                            }};
const OpaqueKind kCidrKind = {"net.CIDR", [](const void* a, const void* b) {
                                return *static_cast<const IpPrefix*>(a) ==
                                       *static_cast<const IpPrefix*>(b);
                              }};

namespace {

// Kubernetes refuses zones and IPv4 addresses mapped to IPv6.
Result<IpAddress, IpError> ParseIp(std::string_view text) {
  bool has_zone = false;
  Result<IpAddress, IpError> address = IpAddress::Parse(text, &has_zone);
  if (!address.ok()) {
    return IpError{Format("IP Address {} parse error during conversion from string: {}",
                          Quoted(text), address.fault().message)};
  }
  if (has_zone) {
    return IpError{Format("IP address {} with zone value is not allowed", Quoted(text))};
  }
  if (address->IsV4InV6()) {
    return IpError{Format("IPv4-mapped IPv6 address {} is not allowed", Quoted(text))};
  }
  return address;
}

Result<IpPrefix, IpError> ParseCidr(std::string_view text) {
  constexpr std::string_view kFault = "network address parse error during conversion from string: ";
  Result<IpPrefix, IpError> prefix = IpPrefix::Parse(text);
  // Kubernetes wraps this fault twice.
  if (!prefix.ok()) return IpError{Format("{}{}{}", kFault, kFault, prefix.fault().message)};
  if (prefix->address.IsV4InV6()) {
    return IpError{Format("{}IPv4-mapped IPv6 address {} is not allowed", kFault, Quoted(text))};
  }
  return prefix;
}

template <typename T>
Value Kept(const Call& call, const OpaqueKind& kind, const T& value) {
  const T* kept = call.arena.New<T>(value);
  if (kept == nullptr) return Value::Error(kCostExceeded);
  return ValueBuilder::OfOpaque(call.arena, kind, kept);
}

Value Fault(const Call& call, const IpError& error) {
  return ValueBuilder::Error(call.arena, {error.message});
}

const IpAddress& Ip(const Value& value) { return *value.As<IpAddress>(kIpKind); }
const IpPrefix& Cidr(const Value& value) { return *value.As<IpPrefix>(kCidrKind); }

Value ToIp(const Call& call) {
  Result<IpAddress, IpError> address = ParseIp(call[0].text());
  return address.ok() ? Kept(call, kIpKind, *address) : Fault(call, address.fault());
}
Value IsIp(const Call& call) { return Value::Bool(ParseIp(call[0].text()).ok()); }
Value IsCanonical(const Call& call) {
  Result<IpAddress, IpError> address = ParseIp(call[0].text());
  if (!address.ok()) return Fault(call, address.fault());
  return Value::Bool(address->ToString() == call[0].text());
}
Value Family(const Call& call) { return Value::Int(Ip(call[0]).is_v4() ? 4 : 6); }
Value IpText(const Call& call) {
  return ValueBuilder::String(call.arena, {Ip(call[0]).ToString()});
}

template <bool (IpAddress::*kProperty)() const>
Value Property(const Call& call) {
  return Value::Bool((Ip(call[0]).*kProperty)());
}

Value ToCidr(const Call& call) {
  Result<IpPrefix, IpError> prefix = ParseCidr(call[0].text());
  return prefix.ok() ? Kept(call, kCidrKind, *prefix) : Fault(call, prefix.fault());
}
Value IsCidr(const Call& call) { return Value::Bool(ParseCidr(call[0].text()).ok()); }

Value ContainsIp(const Call& call) {
  if (call[1].kind() != Kind::kString) return Value::Bool(Cidr(call[0]).Contains(Ip(call[1])));
  Result<IpAddress, IpError> address = ParseIp(call[1].text());
  // Unlike containsCIDR, Kubernetes' function drops the fault of the address.
  if (!address.ok()) return Value::Error(kNoSuchOverload);
  return Value::Bool(Cidr(call[0]).Contains(*address));
}

Value ContainsCidr(const Call& call) {
  const IpPrefix& outer = Cidr(call[0]);
  auto contains = [&outer](const IpPrefix& inner) {
    return Value::Bool(outer.bits <= inner.bits && outer.Contains(inner.address));
  };
  if (call[1].kind() != Kind::kString) return contains(Cidr(call[1]));
  Result<IpPrefix, IpError> inner = ParseCidr(call[1].text());
  return inner.ok() ? contains(*inner) : Fault(call, inner.fault());
}

Value AddressOf(const Call& call) { return Kept(call, kIpKind, Cidr(call[0]).address); }
Value PrefixLength(const Call& call) { return Value::Int(Cidr(call[0]).bits); }
Value Masked(const Call& call) { return Kept(call, kCidrKind, Cidr(call[0]).Masked()); }
Value CidrText(const Call& call) {
  return ValueBuilder::String(call.arena, {Cidr(call[0]).ToString()});
}

// An argument that is a text is parsed.
uint64_t CostOfContains(const Call& call, const Value&) {
  return call[1].kind() == Kind::kString ? TraversalCost(call[1].size()) + 1 : 1;
}

constexpr Function kIpFunctions[] = {
    {"ip", "s:I", ToIp, CostOfFirst},
    {"isIP", "s:b", IsIp, CostOfFirst},
    {"ip.isCanonical", "s:b", IsCanonical, CostOfFirstTwice},
    {"family", "I.:i", Family},
    {"isUnspecified", "I.:b", Property<&IpAddress::IsUnspecified>},
    {"isLoopback", "I.:b", Property<&IpAddress::IsLoopback>},
    {"isLinkLocalMulticast", "I.:b", Property<&IpAddress::IsLinkLocalMulticast>},
    {"isLinkLocalUnicast", "I.:b", Property<&IpAddress::IsLinkLocalUnicast>},
    {"isGlobalUnicast", "I.:b", Property<&IpAddress::IsGlobalUnicast>},
    {"string", "I:s", IpText},
    {"cidr", "s:N", ToCidr, CostOfFirst},
    {"isCIDR", "s:b", IsCidr, CostOfFirst},
    {"containsIP", "N.I:b", ContainsIp, CostOfContains},
    {"containsIP", "N.s:b", ContainsIp, CostOfContains},
    {"containsCIDR", "N.N:b", ContainsCidr, CostOfContains},
    {"containsCIDR", "N.s:b", ContainsCidr, CostOfContains},
    {"ip", "N.:I", AddressOf},
    {"prefixLength", "N.:i", PrefixLength},
    {"masked", "N.:N", Masked},
    {"string", "N:s", CidrText},
};

}  // namespace

FunctionTable IpFunctions() { return kIpFunctions; }

}  // namespace stowage::cel
