/**
 * The fields of devices (resource.k8s.io, v1 and its beta versions) that are read. Names that
 * expressions may use stay. The configuration of devices (`config`) concerns their drivers only.
 */
import { asItIs, name, resource, taint, uid } from './roles.js';
import { NODE_SELECTOR } from './selector_fields.js';
import { REST } from './shape.js';

/** Scalars by names that expressions use. */
const BY_NAME = { [REST]: asItIs };

const DEVICE_REQUEST = {
  name: asItIs,
  deviceClassName: name,
  selectors: [{ cel: { expression: asItIs } }],
  allocationMode: asItIs,
  count: asItIs,
  adminAccess: asItIs,
  tolerations: [taint],
  capacity: { requests: BY_NAME },
};
export const RESOURCE_CLAIM_SPEC = {
  devices: {
    requests: [{ ...DEVICE_REQUEST, exactly: DEVICE_REQUEST, firstAvailable: [DEVICE_REQUEST] }],
    constraints: [{ requests: [asItIs], matchAttribute: asItIs, distinctAttribute: asItIs }],
  },
};

const DEVICE_ID = { driver: asItIs, pool: name, device: asItIs, shareID: asItIs };
const BINDING = { bindingConditions: [asItIs], bindingFailureConditions: [asItIs] };
const ALLOCATION_RESULT = {
  ...DEVICE_ID,
  ...BINDING,
  request: asItIs,
  adminAccess: asItIs,
  tolerations: [taint],
  consumedCapacity: BY_NAME,
};
export const RESOURCE_CLAIM_STATUS = {
  allocation: {
    nodeSelector: NODE_SELECTOR,
    allocationTimestamp: asItIs,
    devices: { results: [ALLOCATION_RESULT] },
  },
  reservedFor: [{ apiGroup: asItIs, resource: asItIs, name, uid }],
  devices: [
    {
      ...DEVICE_ID,
      conditions: [{ type: asItIs, status: asItIs, reason: name, message: name }],
    },
  ],
};

const COUNTERS = { [REST]: { value: asItIs } };
const VALUES = [asItIs];
const ATTRIBUTE = {
  int: asItIs,
  bool: asItIs,
  string: asItIs,
  version: asItIs,
  ints: VALUES,
  bools: VALUES,
  strings: VALUES,
  versions: VALUES,
};
const CAPACITY = {
  value: asItIs,
  requestPolicy: {
    default: asItIs,
    validValues: VALUES,
    validRange: { min: asItIs, max: asItIs, step: asItIs },
  },
};
const NODE_OF_DEVICES = { nodeName: name, nodeSelector: NODE_SELECTOR, allNodes: asItIs };
const DEVICE = {
  ...NODE_OF_DEVICES,
  ...BINDING,
  name: asItIs,
  attributes: { [REST]: ATTRIBUTE },
  capacity: { [REST]: CAPACITY },
  consumesCounters: [{ counterSet: asItIs, counters: COUNTERS }],
  taints: [taint],
  bindsToNode: asItIs,
  allowMultipleAllocations: asItIs,
  nodeAllocatableResourceMappings: {
    [REST]: { capacityKey: asItIs, allocationMultiplier: asItIs },
  },
};
export const RESOURCE_SLICE_SPEC = {
  ...NODE_OF_DEVICES,
  driver: asItIs,
  pool: { name, generation: asItIs, resourceSliceCount: asItIs },
  perDeviceNodeSelection: asItIs,
  sharedCounters: [{ name: asItIs, counters: COUNTERS }],
  devices: [{ ...DEVICE, basic: DEVICE }],
};

export const DEVICE_CLASS_SPEC = {
  extendedResourceName: resource,
  selectors: DEVICE_REQUEST.selectors,
};

export const DEVICE_TAINT_RULE_SPEC = {
  deviceSelector: { driver: asItIs, pool: name, device: asItIs },
  taint,
};
