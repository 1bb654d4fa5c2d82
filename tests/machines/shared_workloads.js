/**
 * What becomes of the workloads in each manifest of ../shared/data/dra, by rules that are derived
 * from the manifests and from the table of machines.
 */

/**
 * `slices`: the folder's own ResourceSlices are the machine; otherwise `machine` is one of the
 * table. `placed`: how many pods get a node, each template alone unless the manifest has pods.
 * `refused`: why the others get none. `with`: a manifest that is applied before.
 *
 * @typedef {object} Expected
 * @property {true} [slices]
 * @property {string} [machine]
 * @property {number} placed
 * @property {RegExp[]} [refused]
 * @property {string} [with]
 * @property {Record<string, boolean>} [featureGates]
 * @property {Record<string, string>[]} [extended] pods with these extended resources are added
 */

const NO_DEVICES = /: 1 cannot allocate all claims\./;

const DRANET = 'kubernetes-sigs+dranet/examples/';
const NVIDIA = 'kubernetes-sigs+dra-driver-nvidia-gpu/';
const EXAMPLE = 'kubernetes-sigs+dra-example-driver/demo/examples/';
const INTEL = 'intel+intel-resource-drivers-for-kubernetes/deployments/';
const SRIOV = 'k8snetworkplumbingwg+dra-driver-sriov/demo/';
const SHARED_PARTITIONS = 'gpu-allow-multiple-allocations-partitionable';
const TAINTS = `${EXAMPLE}device-taints-tolerations/device-taint-pod-toleration/`;

/** @type {Record<string, Expected>} */
const OF_DRANET = {
  [`${DRANET}aws_eks_examples/gpu-efa/resource-claim-template.yaml`]: { slices: true, placed: 2 },
  [`${DRANET}azure_aks_examples/gb300/resource-claim-template.yaml`]: { slices: true, placed: 4 },
  [`${DRANET}azure_aks_examples/mi300x/resource-claim-template.yaml`]: { slices: true, placed: 3 },
  [`${DRANET}oci_oke_examples/BM.GPU.GB200-v3.4/resource-claim-template.yaml`]: {
    slices: true,
    placed: 5,
  },
  // The blocks in the slices are not those of the templates.
  [`${DRANET}oci_oke_examples/BM.GPU.GB200-v3.4/placement-group/resource-claim-template.yaml`]: {
    slices: true,
    placed: 0,
    refused: [NO_DEVICES, NO_DEVICES, NO_DEVICES],
  },
  [`${DRANET}distributed_training/resource-claim-template.yaml`]: { machine: 'h100', placed: 2 },
  [`${DRANET}nixl-kv-transfer/resource-claim-template-aligned.yaml`]: {
    machine: 'h100',
    placed: 1,
  },
  // The manifests have classes dranet.net, not dranet.
  [`${DRANET}demo_nvidia_dranet/resourceclaims.yaml`]: {
    machine: 'p4d',
    placed: 0,
    refused: [/request nic: device class dranet does not exist/],
  },
};

/** @type {Record<string, Expected>} */
const OF_NVIDIA = {
  [`${NVIDIA}demo/specs/consumable-shares/memory-sharing.yaml`]: {
    machine: 'l4-shared',
    placed: 2,
  },
  [`${NVIDIA}demo/specs/extended-resources/mig-1g-12gb.yaml`]: { machine: 'gh200-mig', placed: 1 },
  [`${NVIDIA}demo/specs/quickstart/v1/gpu-test4.yaml`]: { machine: 'a100-mig', placed: 4 },
  [`${NVIDIA}demo/specs/quickstart/v1/gpu-test6.yaml`]: { machine: 'a100-mig', placed: 4 },
  [`${NVIDIA}tests/bats/specs/gpu-cel-nomatch.yaml`]: {
    machine: 'p4d',
    placed: 0,
    refused: [NO_DEVICES],
  },
  [`${NVIDIA}tests/bats/specs/gpu-multiple-mig.yaml`]: { machine: 'a100-mig', placed: 1 },
};

/** @type {Record<string, Expected>} */
const OF_EXAMPLE_DRIVER = {
  [`${EXAMPLE}admin-access/admin-access.yaml`]: { machine: 'example', placed: 1 },
  [`${EXAMPLE}binding-conditions/binding-conditions.yaml`]: {
    machine: 'example-fabric',
    placed: 1,
  },
  [`${EXAMPLE}cel-selector/cel-selector.yaml`]: { machine: 'example', placed: 1 },
  // The rule taints every device of the driver.
  [`${TAINTS}2-basic-resourceclaimtemplate.yaml`]: {
    machine: 'example',
    with: `${TAINTS}1-device-taint-rule.yaml`,
    featureGates: { DRADeviceTaintRules: true },
    placed: 1,
    refused: [NO_DEVICES],
  },
  [`${EXAMPLE}${SHARED_PARTITIONS}/${SHARED_PARTITIONS}.yaml`]: {
    machine: 'example-shares',
    placed: 2,
  },
  [`${EXAMPLE}native-resource-request/native-resource-request.yaml`]: {
    machine: 'example',
    placed: 1,
  },
  [`${EXAMPLE}net-consumable-capacity/net-consumable-capacity.yaml`]: {
    machine: 'example-network',
    placed: 2,
  },
  [`${EXAMPLE}partitionable-devices/partitionable-devices.yaml`]: {
    machine: 'example-partitions',
    placed: 1,
  },
  // Without the gate for claims of PodGroups each pod has a claim of its own.
  [`${EXAMPLE}podgroup-resourceclaimtemplate/podgroup-resourceclaimtemplate.yaml`]: {
    machine: 'example',
    placed: 4,
  },
  [`${EXAMPLE}prioritized-alternatives/prioritized-alternatives.yaml`]: {
    machine: 'example',
    placed: 2,
  },
};

/** @type {Record<string, Expected>} */
const OF_OTHERS = {
  'ROCm+k8s-gpu-dra-driver/example/example-partitions-same-parent.yaml': {
    machine: 'mi300x-cpx',
    placed: 1,
  },
  // The fields' names are in lower case, so the pod has neither version nor claims.
  [`${INTEL}gpu/examples/pod-inline-aligned-gpus.yaml`]: {
    machine: 'flex',
    placed: 0,
    refused: [/apiVersion/],
  },
  [`${INTEL}gpu/examples/pod-inline-first-available.yaml`]: { machine: 'flex', placed: 1 },
  // The class takes "dra.net/rdma" for a domain, so its attributes are missing.
  [`${INTEL}gpu/examples/pod-inline-gpu-dranet.yaml`]: {
    machine: 'flex',
    placed: 0,
    refused: [/CEL runtime error: no such key: bool/],
  },
  [`${INTEL}qat/tests/resource-claim-template.yaml`]: { machine: 'qat', placed: 3 },
  [`${SRIOV}extended-resource/deviceclass.yaml`]: {
    machine: 'sriov',
    extended: [
      { 'example.com/sriov-port1': '4' },
      { 'example.com/sriov-port2': '4' },
      { 'example.com/sriov-port1': '1' },
    ],
    placed: 2,
    refused: [NO_DEVICES],
  },
  [`${SRIOV}resource-alignment/resource-alignment.yaml`]: { machine: 'sriov', placed: 1 },
  'kubernetes-sigs+dra-driver-cpu/hack/examples/pod_with_resource_claim_node_allocatable.yaml': {
    machine: 'cpu',
    placed: 2,
  },
};

/** By the path of the manifest. @type {Readonly<Record<string, Expected>>} */
export const EXPECTED = Object.freeze({
  ...OF_DRANET,
  ...OF_NVIDIA,
  ...OF_EXAMPLE_DRIVER,
  ...OF_OTHERS,
});

/** Manifests with what others need, and no workload. */
export const PARTS = Object.freeze([
  `${DRANET}aws_eks_examples/gpu-efa/device-class.yaml`,
  `${DRANET}aws_eks_examples/gpu-efa/resourceslice-dranet.yaml`,
  `${DRANET}aws_eks_examples/gpu-efa/resourceslice-gpu.yaml`,
  `${DRANET}azure_aks_examples/gb300/resourceslice-dranet.yaml`,
  `${DRANET}azure_aks_examples/gb300/resourceslice-gpu.yaml`,
  `${DRANET}azure_aks_examples/mi300x/resourceslice-dranet.yaml`,
  `${DRANET}distributed_training/device-class.yaml`,
  `${DRANET}oci_oke_examples/BM.GPU.GB200-v3.4/deviceclass.yaml`,
  `${DRANET}oci_oke_examples/BM.GPU.GB200-v3.4/resourceslice-dranet.yaml`,
  `${DRANET}oci_oke_examples/BM.GPU.GB200-v3.4/resourceslice-gpu.yaml`,
  `${INTEL}gpu/base/device-class.yaml`,
  `${TAINTS}1-device-taint-rule.yaml`,
]);
