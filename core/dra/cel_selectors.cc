#include "core/dra/cel_selectors.h"

#include <vector>

#include "core/cel/device_environment.h"

namespace stowage {
namespace {

using Kind = cel::AttributeValueView::Kind;

// The views of a device, and what they refer to.
class ViewedDevice {
 public:
  ViewedDevice(const ResourceSlice& slice, const Device& device, bool has_list_attributes,
               bool shows_multiple_allocations);

  const cel::DeviceView& view() const { return view_; }

 private:
  void AddValues(const DeviceAttribute& attribute, bool has_lists, cel::AttributeView* view,
                 std::vector<cel::AttributeValueView>* values);

  cel::DeviceView view_;
  std::vector<std::vector<cel::AttributeValueView>> values_;
  std::vector<cel::AttributeView> attributes_;
  std::vector<cel::CapacityView> capacity_;
};

void AddTexts(const std::vector<Symbol>& texts, Kind kind,
              std::vector<cel::AttributeValueView>* values) {
  for (const Symbol& text : texts) values->push_back({kind, 0, text.view()});
}

// Lists take precedence over single values.
void ViewedDevice::AddValues(const DeviceAttribute& attribute, bool has_lists,
                             cel::AttributeView* view,
                             std::vector<cel::AttributeValueView>* values) {
  bool is_list = attribute.int_values || attribute.bool_values || attribute.string_values ||
                 attribute.version_values;
  view->is_list = has_lists && is_list;
  if (view->is_list) {
    if (attribute.int_values) {
      for (int64_t number : *attribute.int_values) values->push_back({Kind::kInt, number, {}});
    } else if (attribute.bool_values) {
      for (const std::optional<bool>& one : *attribute.bool_values) {
        values->push_back({Kind::kBool, one.value_or(false) ? 1 : 0, {}});
      }
    } else if (attribute.string_values) {
      AddTexts(*attribute.string_values, Kind::kString, values);
    } else {
      AddTexts(*attribute.version_values, Kind::kVersion, values);
    }
  } else if (attribute.int_value) {
    values->push_back({Kind::kInt, *attribute.int_value, {}});
  } else if (attribute.bool_value) {
    values->push_back({Kind::kBool, *attribute.bool_value ? 1 : 0, {}});
  } else if (attribute.string_value) {
    values->push_back({Kind::kString, 0, attribute.string_value->view()});
  } else if (attribute.version_value) {
    values->push_back({Kind::kVersion, 0, attribute.version_value->view()});
  }
}

ViewedDevice::ViewedDevice(const ResourceSlice& slice, const Device& device,
                           bool has_list_attributes, bool shows_multiple_allocations)
    : values_(device.attributes.size()) {
  for (size_t index = 0; index < device.attributes.size(); ++index) {
    const auto& [name, attribute] = device.attributes[index];
    cel::AttributeView view;
    view.name = name.view();
    AddValues(attribute, has_list_attributes, &view, &values_[index]);
    view.values = values_[index];
    attributes_.push_back(view);
  }
  for (const auto& [name, capacity] : device.capacity) {
    capacity_.push_back({name.view(), &capacity.value});
  }
  view_.driver = slice.spec.driver.view();
  view_.allow_multiple_allocations =
      shows_multiple_allocations && device.allow_multiple_allocations;
  view_.attributes = attributes_;
  view_.capacity = capacity_;
}

class CelSelectors final : public SelectorEvaluator {
 public:
  explicit CelSelectors(cel::DeviceGates gates) : gates_(gates), cache_(gates) {}

  Result<bool, std::string> Matches(const Symbol& expression, const ResourceSliceRef& slice,
                                    const Device& device,
                                    bool shows_multiple_allocations) override {
    auto selector = cache_.Get(expression.view());
    if (!selector.ok()) return "CEL compile error: " + selector.fault().message;
    ViewedDevice viewed(*slice, device, gates_.list_attributes, shows_multiple_allocations);
    auto matches = (*selector)->Evaluate(cel::DeviceInput(viewed.view(), gates_));
    if (!matches.ok()) return "CEL runtime error: " + matches.fault().message;
    return *matches;
  }

 private:
  cel::DeviceGates gates_;
  cel::DeviceSelectorCache cache_;
};

}  // namespace

std::unique_ptr<SelectorEvaluator> NewCelSelectors(const SelectorOptions& options) {
  return std::make_unique<CelSelectors>(
      cel::DeviceGates{options.has_multiple_allocations, options.has_list_attributes});
}

}  // namespace stowage
