// IpAddress and IpPrefix are IP addresses and CIDR networks, parsed and printed like Go's netip.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace stowage::cel {

// The message of the error: `ParseAddr("1.2.3"): IPv4 address too short`.
struct IpError {
  std::string message;
};

class IpAddress {
 public:
  // Accepts zones, which are dropped; `has_zone` is set if there is one.
  static Result<IpAddress, IpError> Parse(std::string_view text, bool* has_zone);

  bool is_v4() const { return is_v4_; }
  int bits() const { return is_v4_ ? 32 : 128; }
  bool IsV4InV6() const;  // ::ffff:1.2.3.4
  bool IsUnspecified() const;
  bool IsLoopback() const;
  bool IsMulticast() const;
  bool IsLinkLocalMulticast() const;
  bool IsLinkLocalUnicast() const;
  bool IsGlobalUnicast() const;

  // The address with all bits behind the first `bits` cleared.
  IpAddress Masked(int bits) const;
  // As RFC 5952 recommends: "::1", "2001:db8::a".
  std::string ToString() const;

  friend bool operator==(const IpAddress&, const IpAddress&) = default;

 private:
  friend class IpParser;

  bool IsV4Broadcast() const;
  bool IsZeroBefore(size_t end) const;
  uint8_t first() const { return bytes_[is_v4_ ? 12 : 0]; }
  uint8_t second() const { return bytes_[is_v4_ ? 13 : 1]; }

  std::array<uint8_t, 16> bytes_ = {};  // an IPv4 address is in the last four
  bool is_v4_ = false;
};

struct IpPrefix {
  IpAddress address;
  int bits = 0;

  // "10.0.0.0/8". Errors begin with `netip.ParsePrefix("...")`.
  static Result<IpPrefix, IpError> Parse(std::string_view text);

  IpPrefix Masked() const { return {address.Masked(bits), bits}; }
  bool Contains(const IpAddress& other) const {
    return other.is_v4() == address.is_v4() && other.Masked(bits) == address.Masked(bits);
  }
  std::string ToString() const { return address.ToString() + "/" + std::to_string(bits); }

  friend bool operator==(const IpPrefix&, const IpPrefix&) = default;
};

}  // namespace stowage::cel
