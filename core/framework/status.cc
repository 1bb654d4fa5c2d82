#include "core/framework/status.h"

#include "core/base/check.h"

namespace stowage {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kSuccess:
      return "Success";
    case Code::kError:
      return "Error";
    case Code::kUnschedulable:
      return "Unschedulable";
    case Code::kUnschedulableAndUnresolvable:
      return "UnschedulableAndUnresolvable";
    case Code::kWait:
      return "Wait";
    case Code::kSkip:
      return "Skip";
    case Code::kPending:
      return "Pending";
  }
  CHECK(false);
}

Status::Status(Code code, std::vector<Symbol> reasons, std::string error) : code_(code) {
  if (!error.empty()) reasons.insert(reasons.begin(), Symbol(error));
  if (!reasons.empty()) {
    details_ = std::make_shared<Details>(Details{std::move(reasons), Symbol()});
  }
}

const Status::Details& Status::NoDetails() {
  static const Details kNone;
  return kNone;
}

std::string Status::Message() const {
  std::string message;
  for (const Symbol& reason : reasons()) {
    if (!message.empty()) message += ", ";
    message += reason.view();
  }
  return message;
}

Status Status::WithPlugin(const Symbol& plugin) && {
  if (IsSuccess() || this->plugin() == plugin) return std::move(*this);
  bool is_own = details_ != nullptr && details_.use_count() == 1;
  if (!is_own) details_ = std::make_shared<Details>(Details{reasons(), Symbol()});
  details_->plugin = plugin;
  return std::move(*this);
}

}  // namespace stowage
