#include <gtest/gtest.h>

#include "core/cel/libraries.h"
#include "core/cel/named_format.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

// The messages of a format's validation, "none" if the text is good.
std::string Validate(std::string_view format, std::string_view text) {
  LibraryCaller formats(FormatFunctions());
  Value value = formats.Call("format." + std::string(format), {});
  EXPECT_EQ(PrintValue(value), "kubernetes.NamedFormat") << format;
  return formats.Print("validate", {value, S(text)});
}

TEST(FormatFunctions, AcceptWhatHasTheFormat) {
  const std::string label(63, 'a');
  struct {
    std::string_view format;
    std::string_view text;
  } cases[] = {
      {"dns1123Label", "my-name"},
      {"dns1123Label", "1"},
      {"dns1123Label", label},
      {"dns1123Subdomain", "a.b-c.d"},
      {"dns1035Label", "a-1"},
      {"qualifiedName", "example.com/My_Name"},
      {"dns1123LabelPrefix", "my-name-"},
      {"dns1123SubdomainPrefix", "a.b-"},
      {"dns1035LabelPrefix", "a-"},
      {"labelValue", ""},
      {"labelValue", "My.Value"},
      {"uri", "https://example.com/a"},
      {"uri", "/a"},
      {"uuid", "123e4567-e89b-12d3-a456-426614174000"},
      {"uuid", "123E4567E89B12D3A456426614174000"},
      {"byte", "aGVsbG8="},
      {"byte", "aGVsbA=="},
      {"date", "2024-02-29"},
      {"datetime", "2024-02-29T23:59:59Z"},
      {"datetime", "2024-02-29t00:00:00.123+14:00"},
  };
  for (const auto& c : cases) EXPECT_EQ(Validate(c.format, c.text), "none") << c.format << c.text;
}

TEST(FormatFunctions, ReportTheFault) {
  const std::string_view label =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
      "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
      "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  const std::string_view label_1035 =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
      "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
      "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
  struct {
    std::string_view format;
    std::string_view text;
    std::string_view message;
  } cases[] = {
      {"dns1123Label", "A", label},
      {"dns1123Label", "a-", label},
      {"dns1123Label", "a.b", "must not contain dots"},
      {"dns1123LabelPrefix", "-", label},
      {"dns1035Label", "1a", label_1035},
      {"dns1035LabelPrefix", "1a-", label_1035},
      {"uri", "a", "parse \"a\": invalid URI for request"},
      {"uuid", "123", "does not match the UUID format"},
      {"byte", "a", "invalid base64"},
      {"byte", "", "invalid base64"},
      {"date", "2023-02-29", "invalid date"},
      {"date", "2023-2-2", "invalid date"},
      {"date", "2023-02-02T", "invalid date"},
      {"datetime", "2023-02-02", "invalid datetime"},
      {"datetime", "2023-02-02T24:00:00Z", "invalid datetime"},
      {"datetime", "2023-02-02T00:00:60Z", "invalid datetime"},
      {"datetime", "2023-02-02T00:00:00", "invalid datetime"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Validate(c.format, c.text), "optional(['" + std::string(c.message) + "'])")
        << c.format << c.text;
  }
  const std::string long_label(64, 'a');
  EXPECT_EQ(Validate("dns1123Label", long_label), "optional(['must be no more than 63 bytes'])");
  EXPECT_EQ(Validate("labelValue", long_label), "optional(['must be no more than 63 bytes'])");
}

TEST(FormatFunctions, AreFoundByName) {
  LibraryCaller formats(FormatFunctions());
  EXPECT_EQ(NamedFormats().size(), 13u);
  for (const NamedFormat& format : NamedFormats()) {
    Value named = formats.Call("format.named", {S(format.name)});
    ASSERT_NE(named.optional_value(), nullptr) << format.name;
    Value constant = formats.Call("format." + std::string(format.name), {});
    EXPECT_TRUE(Equal(*named.optional_value(), constant)) << format.name;
  }
  EXPECT_EQ(formats.Print("format.named", {S("nothing")}), "none");
  Value uuid = formats.Call("format.uuid", {});
  EXPECT_EQ(formats.Cost("validate", {uuid, S("123e4567-e89b-12d3-a456-426614174000")}), 72u);
}

TEST(AuthorizerFunctions, CompileOnly) {
  EXPECT_EQ(AuthorizerFunctions().size(), 15u);
  for (const Function& function : AuthorizerFunctions()) {
    EXPECT_EQ(function.call, nullptr) << function.name;
  }
}

}  // namespace
}  // namespace stowage::cel
