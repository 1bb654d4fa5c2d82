#include "core/cel/libraries.h"

namespace stowage::cel {
namespace {

// There is no authorizer here: expressions with these functions compile, but cannot be evaluated.
constexpr Function kAuthorizerFunctions[] = {
    {"path", "Z.s:P", nullptr},
    {"group", "Z.s:G", nullptr},
    {"serviceAccount", "Z.ss:Z", nullptr},
    {"resource", "G.s:R", nullptr},
    {"subresource", "R.s:R", nullptr},
    {"namespace", "R.s:R", nullptr},
    {"name", "R.s:R", nullptr},
    {"fieldSelector", "R.s:R", nullptr},
    {"labelSelector", "R.s:R", nullptr},
    {"check", "P.s:D", nullptr},
    {"check", "R.s:D", nullptr},
    {"allowed", "D.:b", nullptr},
    {"reason", "D.:s", nullptr},
    {"errored", "D.:b", nullptr},
    {"error", "D.:s", nullptr},
};

}  // namespace

FunctionTable AuthorizerFunctions() { return kAuthorizerFunctions; }

}  // namespace stowage::cel
