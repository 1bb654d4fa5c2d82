// Goal: the allocator finds the first solution that there is, and none if there is none. Method:
// small random clusters and claims; a reference lists all choices in the order of the spec, and
// judges each one as a whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

struct TestDevice {
  std::string pool;
  std::string name;
  std::string color;  // empty: no attribute
  int counters = 0;   // of the pool's set
  int capacity = 0;
  bool is_shared = false;
  bool is_tainted = false;
  bool is_allocated = false;
};

struct TestRequest {
  std::string name;
  std::string color;  // that the selector requires; empty: any
  int count = 1;
  int capacity = 0;  // requested
  bool is_all = false;
  bool is_admin = false;
  bool tolerates = false;
};

struct TestClaim {
  // Each with one or several alternatives.
  std::vector<std::vector<TestRequest>> requests;
  enum class Constraint { kNone, kMatch, kDistinct } constraint = Constraint::kNone;
  size_t num_bound = 0;  // the constraint applies to the first ones
};

// What a choice gives to one alternative of a request.
struct Choice {
  size_t claim;
  size_t request;
  const TestRequest* wanted;
  std::string name;
  std::vector<const TestDevice*> devices;
};

class Reference {
 public:
  Reference(const std::vector<TestDevice>& devices, const std::vector<TestClaim>& claims,
            int counters)
      : devices_(devices), claims_(claims), counters_(counters) {}

  // "none" if no choice is valid.
  std::string Allocate() {
    found_.reset();
    ChooseRequest(0, 0);
    return found_.value_or("none");
  }

 private:
  bool Selects(const TestRequest& request, const TestDevice& device) const {
    if (!request.color.empty() && request.color != device.color) return false;
    return request.capacity <= device.capacity;
  }

  void ChooseRequest(size_t claim, size_t request) {
    if (found_) return;
    if (claim == claims_.size()) {
      if (IsValid()) found_ = Text();
      return;
    }
    const TestClaim& of = claims_[claim];
    if (request == of.requests.size()) return ChooseRequest(claim + 1, 0);
    for (const TestRequest& wanted : of.requests[request]) {
      std::string name = of.requests[request].size() == 1
                             ? wanted.name
                             : "f" + std::to_string(request) + "/" + wanted.name;
      choices_.push_back({claim, request, &wanted, name, {}});
      if (wanted.is_all) {
        for (const TestDevice& device : devices_) {
          if (Selects(wanted, device)) choices_.back().devices.push_back(&device);
        }
        if (!choices_.back().devices.empty()) ChooseRequest(claim, request + 1);
      } else {
        ChooseDevices(0);
      }
      choices_.pop_back();
      if (found_) return;
    }
  }

  void ChooseDevices(size_t start) {
    if (found_) return;
    size_t last = choices_.size() - 1;
    const TestRequest& wanted = *choices_[last].wanted;
    if (choices_[last].devices.size() == static_cast<size_t>(wanted.count)) {
      return ChooseRequest(choices_[last].claim, choices_[last].request + 1);
    }
    for (size_t index = start; index < devices_.size(); ++index) {
      if (!Selects(wanted, devices_[index])) continue;
      choices_[last].devices.push_back(&devices_[index]);
      ChooseDevices(index + 1);
      choices_[last].devices.pop_back();
    }
  }

  bool IsValid() const {
    std::vector<std::string> pools = {"p", "q"};
    return std::all_of(devices_.begin(), devices_.end(),
                       [this](const TestDevice& device) { return IsValidUse(device); }) &&
           std::all_of(pools.begin(), pools.end(),
                       [this](const std::string& pool) { return HasCounters(pool); }) &&
           IsValidByConstraints();
  }

  // Whether all requests together may have the device.
  bool IsValidUse(const TestDevice& device) const {
    int num_users = 0;
    int capacity = 0;
    std::vector<size_t> claims_of_admins;
    for (const Choice& choice : choices_) {
      for (const TestDevice* chosen : choice.devices) {
        if (chosen != &device) continue;
        // The order of choices matters: one without adminAccess refuses a device that any other
        // has, while one with adminAccess refuses a device that its claim has.
        bool is_admin = choice.wanted->is_admin;
        if (!is_admin && (device.is_allocated || (num_users > 0 && !device.is_shared))) {
          return false;
        }
        auto& claims = claims_of_admins;
        bool has = std::find(claims.begin(), claims.end(), choice.claim) != claims.end();
        if (is_admin && has && !device.is_shared) return false;
        claims.push_back(choice.claim);
        if (device.is_tainted && !choice.wanted->tolerates) return false;
        ++num_users;
        capacity += choice.wanted->capacity == 0 ? device.capacity : choice.wanted->capacity;
      }
    }
    return !device.is_shared || num_users == 0 || capacity <= device.capacity;
  }

  bool HasCounters(const std::string& pool) const {
    int taken = 0;
    int chosen = 0;
    for (const TestDevice& device : devices_) {
      if (device.pool != pool) continue;
      if (device.is_allocated) taken += device.counters;
      int num = 0;
      for (const Choice& choice : choices_) {
        num += static_cast<int>(std::count(choice.devices.begin(), choice.devices.end(), &device));
      }
      int cost = device.is_shared ? std::min(num, 1) * device.counters : num * device.counters;
      taken += cost;
      chosen += num > 0 && device.counters > 0 ? 1 : 0;
    }
    return chosen == 0 || taken <= counters_;
  }

  bool IsValidByConstraints() const {
    for (size_t claim = 0; claim < claims_.size(); ++claim) {
      if (claims_[claim].constraint == TestClaim::Constraint::kNone) continue;
      std::vector<std::string> colors;
      for (const Choice& choice : choices_) {
        if (choice.claim != claim || choice.request >= claims_[claim].num_bound) continue;
        for (const TestDevice* device : choice.devices) colors.push_back(device->color);
      }
      if (std::find(colors.begin(), colors.end(), "") != colors.end()) return false;
      std::sort(colors.begin(), colors.end());
      auto num = std::unique(colors.begin(), colors.end()) - colors.begin();
      bool is_match = claims_[claim].constraint == TestClaim::Constraint::kMatch;
      if (is_match ? num > 1 : num != static_cast<int64_t>(colors.size())) return false;
    }
    return true;
  }

  std::string Text() const {
    std::string text;
    for (size_t claim = 0; claim < claims_.size(); ++claim) {
      if (claim > 0) text += "| ";
      for (const Choice& choice : choices_) {
        if (choice.claim != claim) continue;
        for (const TestDevice* device : choice.devices) {
          text += choice.name + "=" + device->pool + "/" + device->name;
          if (choice.wanted->is_admin) text += " admin";
          int capacity = choice.wanted->capacity == 0 ? device->capacity : choice.wanted->capacity;
          if (device->is_shared && device->capacity > 0) text += " m:" + std::to_string(capacity);
          text += " ";
        }
      }
    }
    text.pop_back();
    return text;
  }

  const std::vector<TestDevice>& devices_;
  const std::vector<TestClaim>& claims_;
  const int counters_;
  std::vector<Choice> choices_;
  std::optional<std::string> found_;
};

class AllocatorReference : public AllocatorFixture {
 protected:
  size_t Draw(size_t bound) { return static_cast<size_t>(rng_.Below(bound)); }
  bool OneIn(size_t bound) { return Draw(bound) == 0; }
  std::string DrawColor(size_t num) {
    constexpr std::string_view kNames[] = {"", "red", "blue", "green"};
    return std::string(kNames[Draw(num)]);
  }

  std::vector<TestDevice> DrawDevices() {
    std::vector<TestDevice> devices;
    for (std::string pool : {"p", "q"}) {
      size_t num = Draw(4);
      for (size_t index = 0; index < num; ++index) {
        TestDevice device{pool, pool + std::to_string(index), DrawColor(4)};
        if (OneIn(3)) device.counters = static_cast<int>(1 + Draw(3));
        if (OneIn(3)) device.capacity = static_cast<int>(1 + Draw(4));
        device.is_shared = OneIn(3);
        device.is_tainted = OneIn(6);
        device.is_allocated = !device.is_shared && OneIn(8);
        devices.push_back(device);
      }
    }
    return devices;
  }

  TestRequest DrawRequest(const std::string& name, bool is_bound, bool may_be_admin) {
    TestRequest request;
    request.name = name;
    request.color = OneIn(2) ? "" : DrawColor(3);
    request.count = is_bound ? 1 : static_cast<int>(1 + Draw(2));
    request.capacity = OneIn(3) ? static_cast<int>(1 + Draw(2)) : 0;
    request.is_all = !is_bound && OneIn(6);
    request.is_admin = may_be_admin && OneIn(8);
    request.tolerates = OneIn(2);
    return request;
  }

  std::vector<TestClaim> DrawClaims() {
    std::vector<TestClaim> claims(1 + Draw(2));
    size_t num_left = 3;
    for (size_t index = 0; index < claims.size(); ++index) {
      TestClaim& claim = claims[index];
      size_t num = 1 + Draw(num_left - (claims.size() - 1 - index));
      num_left -= num;
      if (OneIn(2)) {
        claim.constraint =
            OneIn(2) ? TestClaim::Constraint::kMatch : TestClaim::Constraint::kDistinct;
        claim.num_bound = 1 + Draw(num);
      }
      for (size_t request = 0; request < num; ++request) {
        bool is_bound = request < claim.num_bound;
        size_t num_alternatives = OneIn(3) ? 2 : 1;
        std::vector<TestRequest>& alternatives = claim.requests.emplace_back();
        for (size_t number = 0; number < num_alternatives; ++number) {
          std::string name = "r" + std::to_string(request) + "ab"[number];
          alternatives.push_back(DrawRequest(name, is_bound, num_alternatives == 1));
        }
      }
    }
    return claims;
  }

  void AddPools(const std::vector<TestDevice>& devices, int counters) {
    for (std::string pool : {"p", "q"}) {
      SliceParts parts;
      parts.pool = pool;
      parts.count = 2;
      parts.counters =
          R"([{"name":"g","counters":{"m":{"value":")" + std::to_string(counters) + "\"}}}]";
      AddSlice(pool + "-counters", parts);
      parts.counters = "[]";
      parts.devices.clear();
      for (const TestDevice& device : devices) {
        if (device.pool != pool) continue;
        parts.devices += (parts.devices.empty() ? "[" : ",") + Json(device);
        if (device.is_allocated) SetAllocated(pool, device.name);
      }
      parts.devices += parts.devices.empty() ? "[]" : "]";
      AddSlice(pool + "-devices", parts);
    }
  }

  static std::string Json(const TestDevice& device) {
    std::string json = R"({"name":")" + device.name + "\"";
    if (!device.color.empty()) {
      json += R"(,"attributes":{"color":{"string":")" + device.color + "\"}}";
    }
    if (device.counters > 0) {
      json += R"(,"consumesCounters":[{"counterSet":"g","counters":{"m":{"value":")" +
              std::to_string(device.counters) + "\"}}}]";
    }
    if (device.capacity > 0) {
      json += R"(,"capacity":{"m":{"value":")" + std::to_string(device.capacity) + "\"}}";
    }
    if (device.is_shared) json += R"(,"allowMultipleAllocations":true)";
    if (device.is_tainted) json += R"(,"taints":[{"key":"k","effect":"NoSchedule"}])";
    return json + "}";
  }

  static std::string Json(const TestRequest& request) {
    std::string json = R"("deviceClassName":"c","allocationMode":)";
    json +=
        request.is_all ? R"("All")" : R"("ExactCount","count":)" + std::to_string(request.count);
    if (!request.color.empty()) json += Selector("color=" + request.color);
    if (request.capacity > 0) {
      json += R"(,"capacity":{"requests":{"m":")" + std::to_string(request.capacity) + "\"}}";
    }
    if (request.is_admin) json += R"(,"adminAccess":true)";
    if (request.tolerates) json += R"(,"tolerations":[{"operator":"Exists"}])";
    return json;
  }

  static ResourceClaimRef MakeClaim(const TestClaim& claim, size_t number) {
    std::string requests;
    std::string bound;
    for (size_t index = 0; index < claim.requests.size(); ++index) {
      const std::vector<TestRequest>& alternatives = claim.requests[index];
      std::string name =
          alternatives.size() == 1 ? alternatives[0].name : "f" + std::to_string(index);
      requests += (index == 0 ? "" : ",") + (R"({"name":")" + name + "\",");
      requests += alternatives.size() == 1 ? R"("exactly":{)" + Json(alternatives[0]) + "}"
                                           : R"("firstAvailable":[)" + Subs(alternatives) + "]";
      requests += "}";
      if (index < claim.num_bound) bound += (bound.empty() ? "\"" : ",\"") + name + "\"";
    }
    std::string more;
    if (claim.constraint != TestClaim::Constraint::kNone) {
      bool is_match = claim.constraint == TestClaim::Constraint::kMatch;
      more = std::string(R"(,"constraints":[{"requests":[)") + bound + "],\"" +
             (is_match ? "matchAttribute" : "distinctAttribute") + R"(":"d/color"}])";
    }
    return Claim(requests, more, "claim" + std::to_string(number));
  }
  static std::string Subs(const std::vector<TestRequest>& alternatives) {
    std::string subs;
    for (const TestRequest& alternative : alternatives) {
      subs += subs.empty() ? "" : ",";
      subs += R"({"name":")" + alternative.name + "\"," + Json(alternative) + "}";
    }
    return subs;
  }

  Rng rng_{1};
};

TEST_F(AllocatorReference, FindsTheFirstSolution) {
  size_t num_found = 0;
  size_t num_none = 0;
  for (uint64_t seed = 0; seed < 4'000; ++seed) {
    rng_ = Rng(seed);
    slices_ = ResourceSlices();
    allocated_ = AllocatedDevices(true);
    std::vector<TestDevice> devices = DrawDevices();
    std::vector<TestClaim> claims = DrawClaims();
    int counters = static_cast<int>(1 + Draw(5));
    AddPools(devices, counters);
    std::vector<ResourceClaimRef> wanted;
    for (const TestClaim& claim : claims) wanted.push_back(MakeClaim(claim, wanted.size()));
    std::string want = Reference(devices, claims, counters).Allocate();
    ASSERT_EQ(Allocate(wanted), want) << "seed " << seed;
    ++(want == "none" ? num_none : num_found);
  }
  // Both are tested.
  EXPECT_GT(num_found, 1'000u);
  EXPECT_GT(num_none, 1'000u);
}

}  // namespace
}  // namespace stowage
