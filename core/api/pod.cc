#include "core/api/pod.h"

namespace stowage {

PodSpec::PodSpec() = default;
PodSpec::PodSpec(const PodSpec&) = default;
PodSpec::PodSpec(PodSpec&&) noexcept = default;
PodSpec& PodSpec::operator=(const PodSpec&) = default;
PodSpec& PodSpec::operator=(PodSpec&&) noexcept = default;
PodSpec::~PodSpec() = default;

PodStatus::PodStatus() = default;
PodStatus::PodStatus(const PodStatus&) = default;
PodStatus::PodStatus(PodStatus&&) noexcept = default;
PodStatus& PodStatus::operator=(const PodStatus&) = default;
PodStatus& PodStatus::operator=(PodStatus&&) noexcept = default;
PodStatus::~PodStatus() = default;

}  // namespace stowage
