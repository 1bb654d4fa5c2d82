#include "tests/core/plugins/growth_shapes.h"

namespace stowage {
namespace {

using Input = GrowthInput;

constexpr std::string_view kRequiredAffinity =
    R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[*]}})";
constexpr std::string_view kRequiredAntiAffinity =
    R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[*]}})";
constexpr std::string_view kPreferredAffinity =
    R"("affinity":{"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[*]}})";
constexpr std::string_view kOneTerm =
    R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
    R"({"topologyKey":"zone","labelSelector":{"matchExpressions":[*]}}]}})";
constexpr std::string_view kNamespacesOfTerm =
    R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
    R"({"topologyKey":"zone","labelSelector":{},"namespaces":[*]}]}})";
constexpr std::string_view kNodeTerms =
    R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
    R"({"nodeSelectorTerms":[*]}}})";
constexpr std::string_view kNodeTerm =
    R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
    R"({"nodeSelectorTerms":[{"matchExpressions":[*]}]}}})";
constexpr std::string_view kNodeTermValues =
    R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
    R"({"nodeSelectorTerms":[{"matchExpressions":[)"
    R"({"key":"zone","operator":"NotIn","values":[*]}]}]}}})";
constexpr std::string_view kConstraints = R"("topologySpreadConstraints":[*])";
constexpr std::string_view kKeysOfConstraint =
    R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",)"
    R"("whenUnsatisfiable":"DoNotSchedule","labelSelector":{},"matchLabelKeys":[*]}])";
constexpr std::string_view kContainers = R"("containers":[*])";
constexpr std::string_view kRequests =
    R"("containers":[{"name":"c","resources":{"requests":{*}}}])";
constexpr std::string_view kPorts = R"("containers":[{"name":"c","ports":[*]}])";
constexpr std::string_view kVolumes = R"("volumes":[*])";

// All but one of these terms select the running pod.
constexpr std::string_view kTerm = R"({"topologyKey":"zone","labelSelector":{"matchExpressions":[)"
                                   R"({"key":"app","operator":"NotIn","values":["v#"]}]}})";
constexpr std::string_view kWeightedTerm =
    R"({"weight":#,"podAffinityTerm":{"topologyKey":"zone","labelSelector":{"matchExpressions":[)"
    R"({"key":"app","operator":"NotIn","values":["v#"]}]}}})";
constexpr std::string_view kTermOfKey =
    R"({"topologyKey":"k~","labelSelector":{"matchLabels":{"app":"web"}}})";
constexpr std::string_view kWeightedTermOfKey =
    R"({"weight":#,"podAffinityTerm":{"topologyKey":"k~",)"
    R"("labelSelector":{"matchLabels":{"app":"web"}}}})";
constexpr std::string_view kHardConstraint =
    R"({"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule",)"
    R"("labelSelector":{"matchLabels":{"app":"v#"}}})";
constexpr std::string_view kSoftConstraint =
    R"({"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway",)"
    R"("labelSelector":{"matchLabels":{"app":"v#"}}})";
constexpr std::string_view kHardConstraintOfKey =
    R"({"maxSkew":1,"topologyKey":"k~","whenUnsatisfiable":"DoNotSchedule",)"
    R"("labelSelector":{"matchLabels":{"app":"web"}}})";
constexpr std::string_view kSoftConstraintOfKey =
    R"({"maxSkew":1,"topologyKey":"k~","whenUnsatisfiable":"ScheduleAnyway",)"
    R"("labelSelector":{"matchLabels":{"app":"web"}}})";
constexpr std::string_view kClaimVolume =
    R"({"name":"v~","persistentVolumeClaim":{"claimName":"c~"}})";

const GrowthPart kNodeLabels{&Input::node_labels, "*", R"("k#":"v")"};
const GrowthPart kPodLabels{&Input::pod_labels, "*", R"("k~":"v")"};

std::vector<GrowthShape> Terms() {
  return {
      {"required affinity", {{&Input::pod_spec, kRequiredAffinity, kTerm}}},
      {"required anti-affinity", {{&Input::pod_spec, kRequiredAntiAffinity, kTerm}}},
      {"preferred affinity", {{&Input::pod_spec, kPreferredAffinity, kWeightedTerm}}},
      {"affinity, keys of no node", {{&Input::pod_spec, kRequiredAffinity, kTermOfKey}}},
      {"anti-affinity, keys of no node", {{&Input::pod_spec, kRequiredAntiAffinity, kTermOfKey}}},
      {"preferred, keys of no node", {{&Input::pod_spec, kPreferredAffinity, kWeightedTermOfKey}}},
      {"affinity, keys of nodes", {kNodeLabels, {&Input::pod_spec, kRequiredAffinity, kTermOfKey}}},
      {"anti-affinity, keys of nodes",
       {kNodeLabels, {&Input::pod_spec, kRequiredAntiAffinity, kTermOfKey}}},
      {"preferred, keys of nodes",
       {kNodeLabels, {&Input::pod_spec, kPreferredAffinity, kWeightedTermOfKey}}},
      {"running anti-affinity", {{&Input::running_spec, kRequiredAntiAffinity, kTerm}}},
      {"running affinity", {{&Input::running_spec, kRequiredAffinity, kTerm}}},
      {"running preference", {{&Input::running_spec, kPreferredAffinity, kWeightedTerm}}},
      {"running, the same term",
       {{&Input::running_spec, kRequiredAntiAffinity,
         R"({"topologyKey":"zone","labelSelector":{}})"}}},
      {"requirements of a term",
       {kPodLabels, {&Input::pod_spec, kOneTerm, R"({"key":"k~","operator":"Exists"})"}}},
      {"running, requirements of a term",
       {kPodLabels, {&Input::running_spec, kOneTerm, R"({"key":"k~","operator":"Exists"})"}}},
      {"namespaces of a term", {{&Input::pod_spec, kNamespacesOfTerm, R"("n~")"}}},
      {"hard constraints", {{&Input::pod_spec, kConstraints, kHardConstraint}}},
      {"soft constraints", {{&Input::pod_spec, kConstraints, kSoftConstraint}}},
      {"hard, keys of no node", {{&Input::pod_spec, kConstraints, kHardConstraintOfKey}}},
      {"soft, keys of no node", {{&Input::pod_spec, kConstraints, kSoftConstraintOfKey}}},
      {"hard, keys of nodes",
       {kNodeLabels, {&Input::pod_spec, kConstraints, kHardConstraintOfKey}}},
      {"soft, keys of nodes",
       {kNodeLabels, {&Input::pod_spec, kConstraints, kSoftConstraintOfKey}}},
      {"matchLabelKeys", {kPodLabels, {&Input::pod_spec, kKeysOfConstraint, R"("k#")"}}},
  };
}

std::vector<GrowthShape> OfNodes() {
  return {
      {"labels", {kPodLabels, kNodeLabels}},
      {"node affinity terms",
       {{&Input::pod_spec, kNodeTerms,
         R"({"matchExpressions":[{"key":"k~","operator":"In","values":["v"]}]})"}}},
      {"node affinity expressions",
       {kNodeLabels,
        {&Input::pod_spec, kNodeTerm, R"({"key":"k~","operator":"In","values":["v"]})"}}},
      {"node affinity values", {{&Input::pod_spec, kNodeTermValues, R"("v~")"}}},
      {"node affinity names",
       {{&Input::pod_spec, kNodeTerms,
         R"({"matchFields":[{"key":"metadata.name","operator":"In","values":["m~"]}]})"}}},
      {"node selector", {kNodeLabels, {&Input::pod_spec, R"("nodeSelector":{*})", R"("k~":"v")"}}},
      {"taints and tolerations",
       {{&Input::node_spec, R"("taints":[*])", R"({"key":"k#","effect":"NoSchedule"})"},
        {&Input::pod_spec, R"("tolerations":[*])", R"({"key":"k~","effect":"NoSchedule"})"}}},
      {"taints to be avoided",
       {{&Input::node_spec, R"("taints":[*])", R"({"key":"k#","effect":"PreferNoSchedule"})"},
        {&Input::pod_spec, R"("tolerations":[*])", R"({"key":"j~","operator":"Exists"})"}}},
      {"taints and tolerations of one key",
       {{&Input::node_spec, R"("taints":[*])", R"({"key":"k","value":"#","effect":"NoSchedule"})"},
        {&Input::pod_spec, R"("tolerations":[*])", R"({"key":"k","value":"~"})"}}},
      {"images",
       {{&Input::node_status, R"("images":[*])", R"({"names":["i#:v"],"sizeBytes":100000000})"},
        {&Input::pod_spec, kContainers, R"({"name":"c~","image":"i~:v"})"}}},
      {"names of an image",
       {{&Input::node_status, R"("images":[{"names":[*],"sizeBytes":100000000}])", R"("i#:v")"}}},
      {"owners and gates", {{&Input::pod_spec, R"("schedulingGates":[*])", R"({"name":"g~"})"}}},
  };
}

std::vector<GrowthShape> Resources() {
  return {
      {"resources",
       {{&Input::node_status, R"("allocatable":{"pods":"110",*})", R"("e.com/r~":"5")"},
        {&Input::running_spec, kRequests, R"("e.com/r#":"1")"},
        {&Input::pod_spec, kRequests, R"("e.com/r~":"1")"}}},
      {"containers",
       {{&Input::pod_spec, kContainers,
         R"({"name":"c~","resources":{"requests":{"e.com/r~":"1"}}})"}}},
      {"sidecars",
       {{&Input::pod_spec, R"("initContainers":[*])",
         R"({"name":"c~","restartPolicy":"Always","resources":{"requests":{"e.com/r~":"1"}}})"}}},
      {"init containers",
       {{&Input::pod_spec, R"("initContainers":[*])",
         R"({"name":"c~","resources":{"requests":{"e.com/r~":"1"}}})"}}},
      {"host ports",
       {{&Input::running_spec, kPorts, R"({"hostPort":1#})"},
        {&Input::pod_spec, kPorts, R"({"hostPort":2~})"}}},
      {"addresses of a host port",
       {{&Input::running_spec, kPorts, R"({"hostPort":80,"hostIP":"a#"})"},
        {&Input::pod_spec, kPorts, R"({"hostPort":80,"hostIP":"b~"})"}}},
      {"disks",
       {{&Input::running_spec, kVolumes, R"({"name":"v#","gcePersistentDisk":{"pdName":"a#"}})"},
        {&Input::pod_spec, kVolumes, R"({"name":"v~","gcePersistentDisk":{"pdName":"b~"}})"}}},
      {"bound claims",
       {{&Input::claims, "*",
         R"({"metadata":{"name":"c#","namespace":"default","uid":"c#",)"
         R"("annotations":{"pv.kubernetes.io/bind-completed":"yes"}},)"
         R"("spec":{"volumeName":"v#","accessModes":["ReadWriteOncePod"]}})"},
        {&Input::volumes, "*",
         R"({"metadata":{"name":"v#","uid":"v#"},)"
         R"("spec":{"csi":{"driver":"d","volumeHandle":"h#"}}})"},
        {&Input::running_spec, kVolumes, kClaimVolume},
        {&Input::pod_spec, kVolumes, kClaimVolume}}},
      {"claims that wait for their pod",
       {{&Input::claims, "*",
         R"({"metadata":{"name":"c#","namespace":"default","uid":"c#"},"spec":)"
         R"({"storageClassName":"late","accessModes":["ReadWriteOnce"],)"
         R"("resources":{"requests":{"storage":"1#"}}}})"},
        {&Input::volumes, "*",
         R"({"metadata":{"name":"v#","uid":"v#"},"spec":{"storageClassName":"late",)"
         R"("accessModes":["ReadWriteOnce"],"capacity":{"storage":"1Gi"}},)"
         R"("status":{"phase":"Available"}})"},
        {&Input::pod_spec, kVolumes, kClaimVolume}}},
  };
}

// Replaces every `sign` by `with`.
void Fill(std::string_view text, char sign, std::string_view with, std::string* out) {
  for (char character : text) {
    if (character == sign) {
      out->append(with);
    } else {
      out->push_back(character);
    }
  }
}

}  // namespace

GrowthInput GrowthShape::Make(size_t size) const {
  GrowthInput input;
  for (const GrowthPart& part : parts) {
    std::string items;
    for (size_t number = 0; number < size; ++number) {
      if (number > 0) items += ",\n";
      std::string numbered;
      Fill(part.item, '#', std::to_string(number), &numbered);
      Fill(numbered, '~', std::to_string(size - 1 - number), &items);
    }
    Fill(part.whole, '*', items, &(input.*part.member));
  }
  return input;
}

const std::vector<GrowthShape>& GrowthShapes() {
  static const auto* shapes = [] {
    auto* all = new std::vector<GrowthShape>;
    for (const std::vector<GrowthShape>& some : {Terms(), OfNodes(), Resources()}) {
      all->insert(all->end(), some.begin(), some.end());
    }
    return all;
  }();
  return *shapes;
}

}  // namespace stowage
