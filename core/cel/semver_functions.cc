#include "core/cel/libraries.h"
#include "core/cel/semver.h"

namespace stowage::cel {

const OpaqueKind kSemverKind = {
    "kubernetes.Semver", [](const void* a, const void* b) {
      return static_cast<const Semver*>(a)->Compare(*static_cast<const Semver*>(b)) == 0;
    }};

namespace {

const Semver& Version(const Value& value) { return *value.As<Semver>(kSemverKind); }

// The version of the text in argument 0, which argument 1 may ask to normalise.
Result<Semver, SemverError> ParseArgument(const Call& call) {
  std::string_view text = call[0].text();
  if (call.arguments.size() > 1 && call[1].is_true()) {
    Result<std::string, SemverError> normalized = NormalizedSemver(text);
    if (!normalized.ok()) return normalized.fault();
    text = call.arena.Copy(*normalized);
  }
  return Semver::Parse(text);
}

Value ToSemver(const Call& call) {
  Result<Semver, SemverError> version = ParseArgument(call);
  if (!version.ok()) return ValueBuilder::Error(call.arena, {version.fault().message});
  const auto* kept = call.arena.New<Semver>(*version);
  if (kept == nullptr) return Value::Error(kCostExceeded);
  return ValueBuilder::OfOpaque(call.arena, kSemverKind, kept);
}

Value IsSemver(const Call& call) { return Value::Bool(ParseArgument(call).ok()); }
Value Major(const Call& call) { return Value::Int(static_cast<int64_t>(Version(call[0]).major)); }
Value Minor(const Call& call) { return Value::Int(static_cast<int64_t>(Version(call[0]).minor)); }
Value Patch(const Call& call) { return Value::Int(static_cast<int64_t>(Version(call[0]).patch)); }
Value CompareTo(const Call& call) { return Value::Int(Version(call[0]).Compare(Version(call[1]))); }
Value IsGreaterThan(const Call& call) {
  return Value::Bool(Version(call[0]).Compare(Version(call[1])) > 0);
}
Value IsLessThan(const Call& call) {
  return Value::Bool(Version(call[0]).Compare(Version(call[1])) < 0);
}

constexpr Function kSemverFunctions[] = {
    {"semver", "s:V", ToSemver, CostOfFirst},
    {"semver", "sb:V", ToSemver, CostOfFirst},
    {"isSemver", "s:b", IsSemver, CostOfFirst},
    {"isSemver", "sb:b", IsSemver, CostOfFirst},
    {"isGreaterThan", "V.V:b", IsGreaterThan},
    {"isLessThan", "V.V:b", IsLessThan},
    {"compareTo", "V.V:i", CompareTo},
    {"major", "V.:i", Major},
    {"minor", "V.:i", Minor},
    {"patch", "V.:i", Patch},
};

}  // namespace

FunctionTable SemverFunctions() { return kSemverFunctions; }

}  // namespace stowage::cel
