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
    details_ = std::make_shared<const Details>(Details{std::move(reasons), Symbol()});
  }
}

const std::vector<Symbol>& Status::reasons() const {
  static const std::vector<Symbol> kNone;
  return details_ == nullptr ? kNone : details_->reasons;
}

std::string Status::Message() const {
  std::string message;
  for (const Symbol& reason : reasons()) {
    if (!message.empty()) message += ", ";
    message += reason.view();
  }
  return message;
}

const Symbol& Status::plugin() const {
  static const Symbol kNone;
  return details_ == nullptr ? kNone : details_->plugin;
}

Status Status::WithPlugin(const Symbol& plugin) const {
  if (IsSuccess() || this->plugin() == plugin) return *this;
  return Status(code_, std::make_shared<const Details>(Details{reasons(), plugin}));
}

bool operator==(const Status& a, const Status& b) {
  if (a.code_ != b.code_) return false;
  if (a.details_ == b.details_) return true;
  return a.reasons() == b.reasons() && a.plugin() == b.plugin();
}

}  // namespace stowage
