// The extension points of the scheduling framework, one enumeration for configuration, framework
// and runtime. multiPoint is not a point of its own; it enables a plugin at all of its points.
// Counterpart: Plugins of apis/config/types.go, v1.36.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace stowage {

enum class ExtensionPoint : uint8_t {
  kPreEnqueue,
  kQueueSort,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kReserve,
  kPermit,
  kPreBind,
  kBind,
  kPostBind,
  kPlacementGenerate,
  kPlacementScore,
};

inline constexpr size_t kExtensionPointCount = 14;

// All points, in the order of the enumeration.
inline constexpr std::array<ExtensionPoint, kExtensionPointCount> kExtensionPoints = {
    ExtensionPoint::kPreEnqueue,
    ExtensionPoint::kQueueSort,
    ExtensionPoint::kPreFilter,
    ExtensionPoint::kFilter,
    ExtensionPoint::kPostFilter,
    ExtensionPoint::kPreScore,
    ExtensionPoint::kScore,
    ExtensionPoint::kReserve,
    ExtensionPoint::kPermit,
    ExtensionPoint::kPreBind,
    ExtensionPoint::kBind,
    ExtensionPoint::kPostBind,
    ExtensionPoint::kPlacementGenerate,
    ExtensionPoint::kPlacementScore,
};

// "PreEnqueue": the point's name in messages and metrics; the plugin interface adds "Plugin".
constexpr std::string_view ExtensionPointName(ExtensionPoint point) {
  constexpr std::string_view kNames[kExtensionPointCount] = {
      "PreEnqueue", "QueueSort", "PreFilter",         "Filter",         "PostFilter",
      "PreScore",   "Score",     "Reserve",           "Permit",         "PreBind",
      "Bind",       "PostBind",  "PlacementGenerate", "PlacementScore",
  };
  return kNames[static_cast<size_t>(point)];
}

// "preEnqueue": the field of `plugins` in the configuration.
constexpr std::string_view ExtensionPointField(ExtensionPoint point) {
  constexpr std::string_view kFields[kExtensionPointCount] = {
      "preEnqueue", "queueSort", "preFilter",         "filter",         "postFilter",
      "preScore",   "score",     "reserve",           "permit",         "preBind",
      "bind",       "postBind",  "placementGenerate", "placementScore",
  };
  return kFields[static_cast<size_t>(point)];
}

// The points that a plugin implements.
class ExtensionPointSet {
 public:
  constexpr ExtensionPointSet() = default;
  constexpr ExtensionPointSet(std::initializer_list<ExtensionPoint> points) {
    for (ExtensionPoint point : points) Add(point);
  }

  constexpr void Add(ExtensionPoint point) { bits_ |= Bit(point); }
  constexpr void Remove(ExtensionPoint point) { bits_ &= ~Bit(point); }
  constexpr bool Has(ExtensionPoint point) const { return (bits_ & Bit(point)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }

  friend constexpr bool operator==(ExtensionPointSet, ExtensionPointSet) = default;

 private:
  static constexpr uint32_t Bit(ExtensionPoint point) {
    return uint32_t{1} << static_cast<uint32_t>(point);
  }

  uint32_t bits_ = 0;
};

}  // namespace stowage
