#include "core/loop/call.h"

namespace stowage {
namespace {

// FNV-1a.
constexpr uint64_t kOffsetBasis = 0xcbf29ce484222325;
constexpr uint64_t kPrime = 0x100000001b3;

uint64_t Hash(uint64_t hash, std::string_view bytes) {
  for (char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * kPrime;
  return hash;
}

}  // namespace

CallFault CallFaultOf(std::string_view error) {
  if (error.empty()) return CallFault::kNone;
  if (error == "timeout") return CallFault::kTimeout;
  return error == "network" ? CallFault::kNetwork : CallFault::kAborted;
}

std::string CallKey(const Call& call) {
  uint64_t hash = Hash(Hash(Hash(kOffsetBasis, call.url), "\n"), call.body);
  std::string key(16, '0');
  for (size_t digit = key.size(); digit > 0; hash >>= 4) {
    key[--digit] = "0123456789abcdef"[hash & 15];
  }
  return key;
}

}  // namespace stowage
