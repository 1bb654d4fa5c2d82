import { labelOf } from '../../../src/kubernetes/label_selector.js';
import { isAlreadyExists } from '../api_errors.js';
import {
  annotated,
  BETA_STORAGE_PROVISIONER,
  PROVISIONED_BY,
  referenceToClaim,
  STORAGE_PROVISIONER,
  withoutAnnotations,
} from './volume_names.js';
import { SELECTED_NODE } from '../../../src/kubernetes/volume_match.js';

/**
 * Creates volumes on behalf of the classes' drivers, at once and without failures. The node that
 * the scheduler chose for the first pod decides which nodes can reach the volume: those with its
 * values of the driver's topology keys (CSINode), or without such keys those of its zone. A volume
 * that waits for no pod is reachable from where its class allows. Counterparts:
 * pkg/controller/volume/persistentvolume/pv_controller.go (provisionClaim); external-provisioner
 * (Provision), csi-lib-utils (topology).
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

const ZONE = 'topology.kubernetes.io/zone';

/**
 * @param {ControllerContext} context
 * @param {EventRecorder} recorder
 * @param {{ claim: KubernetesObject, storageClass: KubernetesObject }} wanted
 * @returns {{ claim: KubernetesObject, volume?: KubernetesObject }} without a volume if the chosen
 *   node cannot reach it: the scheduler then chooses again
 */
export function provision(context, recorder, { claim: given, storageClass }) {
  const { provisioner } = storageClass;
  const claim = marked(context, given, provisioner);
  const topology = topologyFor(context, claim, storageClass);
  if (topology === null) {
    const message = `failed to provision volume with StorageClass "${storageClass.metadata.name}"`;
    recorder.event(claim, 'Warning', 'ProvisioningFailed', `${message}: no topology is in reach`);
    const cleared = withoutAnnotations(claim, SELECTED_NODE);
    return { claim: context.store.update('persistentvolumeclaims', cleared) };
  }
  const wanted = volumeFor(claim, storageClass, topology);
  const { name } = wanted.metadata;
  try {
    const volume = context.store.create('persistentvolumes', wanted);
    const message = `Successfully provisioned volume ${name}`;
    recorder.event(claim, 'Normal', 'ProvisioningSucceeded', message);
    return { claim, volume };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return { claim, volume: context.store.get('persistentvolumes', '', name) };
  }
}

/**
 * Returns the claim with the name of its provisioner.
 * @param {ControllerContext} context
 * @param {KubernetesObject} claim
 * @param {string} provisioner
 */
function marked(context, claim, provisioner) {
  if (claim.metadata.annotations?.[STORAGE_PROVISIONER] === provisioner) return claim;
  const marks = { [STORAGE_PROVISIONER]: provisioner, [BETA_STORAGE_PROVISIONER]: provisioner };
  return context.store.update('persistentvolumeclaims', annotated(claim, marks));
}

/**
 * Returns the labels of the nodes that can reach the volume, one list per alternative; null if the
 * chosen node cannot. Empty: all nodes.
 * @param {ControllerContext} context
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} storageClass
 * @returns {any[][] | null} node selector requirements
 */
function topologyFor(context, claim, { provisioner, allowedTopologies }) {
  const allowed = (allowedTopologies ?? []).map((/** @type {any} */ { matchLabelExpressions }) =>
    (matchLabelExpressions ?? []).map((/** @type {any} */ { key, values }) => ({
      key,
      operator: 'In',
      values,
    })),
  );
  const name = claim.metadata.annotations?.[SELECTED_NODE];
  if (name === undefined) return allowed;
  const node = context.indexer('nodes').get(name);
  if (!node) return null;
  const labels = node.metadata.labels ?? {};
  const isAllowed = allowed.some((/** @type {any[]} */ rules) =>
    rules.every(({ key, values }) => values.includes(labelOf(labels, key))),
  );
  if (allowed.length > 0 && !isAllowed) return null;
  const keys = topologyKeysOf(context.indexer('csinodes').get(name), provisioner);
  const rules = (keys.length > 0 ? keys : [ZONE])
    .filter((key) => labelOf(labels, key) !== undefined)
    .map((key) => ({ key, operator: 'In', values: [labelOf(labels, key)] }));
  return rules.length > 0 ? [rules] : [];
}

/**
 * @param {KubernetesObject | undefined} csiNode
 * @param {string} driver
 * @returns {string[]}
 */
function topologyKeysOf(csiNode, driver) {
  const drivers = csiNode?.spec?.drivers ?? [];
  return drivers.find((/** @type {any} */ { name }) => name === driver)?.topologyKeys ?? [];
}

/**
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} storageClass
 * @param {any[][]} topology
 */
function volumeFor(claim, storageClass, topology) {
  const { provisioner, reclaimPolicy = 'Delete', mountOptions } = storageClass;
  const { accessModes, resources, volumeMode, volumeAttributesClassName } = claim.spec;
  const name = `pvc-${claim.metadata.uid}`;
  const nodeSelectorTerms = topology.map((matchExpressions) => ({ matchExpressions }));
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [PROVISIONED_BY]: provisioner } },
    spec: {
      capacity: { storage: resources?.requests?.storage ?? '0' },
      accessModes,
      claimRef: referenceToClaim(claim),
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata.name,
      ...(mountOptions && { mountOptions }),
      ...(volumeMode && { volumeMode }),
      ...(volumeAttributesClassName && { volumeAttributesClassName }),
      csi: { driver: provisioner, volumeHandle: name },
      ...(topology.length > 0 && { nodeAffinity: { required: { nodeSelectorTerms } } }),
    },
  };
}
