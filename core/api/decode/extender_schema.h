// Decodes the answers of scheduler extenders. Like Go, it ignores the case of field names. A fault
// names the error and its position.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/extender.h"
#include "core/base/result.h"

namespace stowage {

Result<ExtenderFilterResult, std::string> DecodeExtenderFilterResult(std::string_view json);
Result<std::vector<HostPriority>, std::string> DecodeHostPriorityList(std::string_view json);
Result<NodeNameToMetaVictims, std::string> DecodeExtenderPreemptionResult(std::string_view json);
Result<ExtenderBindingResult, std::string> DecodeExtenderBindingResult(std::string_view json);

}  // namespace stowage
