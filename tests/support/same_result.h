// Whether two decisions about a pod are the same.
#pragma once

#include <string>

#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// The first difference as text, empty if there is none. `detail` is not compared.
std::string CompareResults(const ScheduleResult& actual, const ScheduleResult& want);

}  // namespace stowage
