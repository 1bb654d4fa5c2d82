// Status is a plugin's verdict about a pod. It is never used for input errors (Result is).
//
// Success is free to construct, copy and test. All other statuses share their details, which do not
// change while they are shared: the reasons, including an error's text, and the name of the plugin
// that returned the status. Counterpart: staging/src/k8s.io/kube-scheduler/framework/interface.go
// (Status), v1.36; spec 05 §1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/symbol.h"

namespace stowage {

enum class Code : uint8_t {
  kSuccess,
  kError,
  kUnschedulable,
  kUnschedulableAndUnresolvable,
  kWait,
  kSkip,
  kPending,
};

// The exact text of a code, e.g. "UnschedulableAndUnresolvable".
std::string_view CodeName(Code code);

class Status {
  struct Details {
    std::vector<Symbol> reasons;
    Symbol plugin;
  };

 public:
  Status() = default;  // Success

  static Status Success() { return Status(); }
  static Status Skip() { return WithoutReasons(Code::kSkip); }
  static Status Unschedulable(std::string_view reason) {
    return Status(Code::kUnschedulable, {Symbol(reason)}, {});
  }
  static Status UnschedulableAndUnresolvable(std::string_view reason) {
    return Status(Code::kUnschedulableAndUnresolvable, {Symbol(reason)}, {});
  }
  static Status Error(std::string_view message) {
    return Status(Code::kError, {}, std::string(message));
  }
  static Status WithReasons(Code code, std::vector<Symbol> reasons) {
    return Status(code, std::move(reasons), {});
  }
  static Status WithoutReasons(Code code) { return Status(code); }

  Code code() const { return code_; }
  bool IsSuccess() const { return code_ == Code::kSuccess; }
  bool IsSkip() const { return code_ == Code::kSkip; }
  // Whether this is a verdict about the pod: Unschedulable, UnschedulableAndUnresolvable or
  // Pending.
  bool IsRejected() const {
    return code_ == Code::kUnschedulable || code_ == Code::kUnschedulableAndUnresolvable ||
           code_ == Code::kPending;
  }

  // The reasons; an error's text, if any, comes first.
  const std::vector<Symbol>& reasons() const { return details().reasons; }
  // Reasons joined with ", ".
  std::string Message() const;

  // The plugin that returned this status; empty if the framework itself did.
  const Symbol& plugin() const { return details().plugin; }
  // The same status under `plugin`'s name; Success stays unchanged.
  Status WithPlugin(const Symbol& plugin) const& { return Status(*this).WithPlugin(plugin); }
  Status WithPlugin(const Symbol& plugin) &&;

  friend bool operator==(const Status& a, const Status& b) {
    if (a.code_ != b.code_) return false;
    if (a.details_ == b.details_) return true;
    return a.plugin() == b.plugin() && a.reasons() == b.reasons();
  }

 private:
  Status(Code code, std::vector<Symbol> reasons, std::string error);
  explicit Status(Code code) : code_(code) {}
  static const Details& NoDetails();
  const Details& details() const { return details_ != nullptr ? *details_ : NoDetails(); }

  Code code_ = Code::kSuccess;
  std::shared_ptr<Details> details_;
};

}  // namespace stowage
