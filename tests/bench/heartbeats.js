/**
 * Heartbeats: nodes as kubelets report them again and again, without a change that matters to the
 * scheduler.
 */
import { timeApply } from './footprint.js';
import { ratioOf } from './measure.js';
import { eventsOf } from './objects.js';

const IMAGES = 22;
const CONDITIONS = [
  ['NetworkUnavailable', 'False', 'CalicoIsUp', 'Calico is running on this node'],
  [
    'MemoryPressure',
    'False',
    'KubeletHasSufficientMemory',
    'kubelet has sufficient memory available',
  ],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];
const ZONES = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];

/**
 * Adds every node and then updates it `beats` times.
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {{ nodes: number, beats: number, runs: number }} load
 */
export function measureHeartbeats(engine, { nodes, beats, runs }) {
  const there = eventsOf('ADDED', nodes, (row) => heartbeat(row, 0));
  const events = nodes * beats;
  const batches = eventsOf('MODIFIED', events, (at) =>
    heartbeat(at % nodes, 1 + Math.floor(at / nodes)),
  );
  const { bytes, calibration, seconds } = timeApply(engine, { before: there, batches, runs });
  return {
    perSecond: events / seconds,
    ratio: ratioOf(events / seconds, calibration),
    usPerEvent: (seconds * 1e6) / events,
    eventBytes: Math.round(bytes / events),
    calibrationMs: calibration * 1000,
  };
}

/**
 * A node of 8 KB as an API server sends it, at its n-th heartbeat.
 * @param {number} row @param {number} beat
 */
export function heartbeat(row, beat) {
  const name = `ip-10-0-${row >> 8}-${row & 255}.eu-west-1.compute.internal`;
  const zone = ZONES[row % ZONES.length];
  const seconds = String((10 * beat) % 60).padStart(2, '0');
  const minutes = String(Math.floor(beat / 6) % 60).padStart(2, '0');
  const lastHeartbeatTime = `2026-01-01T00:${minutes}:${seconds}Z`;
  const lastTransitionTime = '2025-12-24T09:13:37Z';
  const resources = { cpu: '32', 'ephemeral-storage': '203056560Ki', 'hugepages-1Gi': '0' };
  const capacity = { ...resources, memory: '130502176Ki', pods: '110' };
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: {
      name,
      uid: `7fdda48a-1404-4499-8b1a-${String(row).padStart(12, '0')}`,
      resourceVersion: String(100_000 + row + 50_000 * beat),
      creationTimestamp: '2025-12-24T09:13:02Z',
      labels: labelsOf(name, zone),
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'projectcalico.org/IPv4Address': `10.0.${row >> 8}.${row & 255}/18`,
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      managedFields: [managedBy('kubelet')],
    },
    spec: { podCIDR: `10.${row >> 8}.${row & 255}.0/24`, providerID: `aws:///${zone}/i-0a${row}` },
    status: {
      capacity,
      allocatable: { ...capacity, cpu: '31850m', memory: '127312416Ki' },
      conditions: CONDITIONS.map(([type, status, reason, message]) => ({
        ...{ type, status, lastHeartbeatTime, lastTransitionTime, reason, message },
      })),
      addresses: [
        { type: 'InternalIP', address: `10.0.${row >> 8}.${row & 255}` },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: 'ec2a4f6b8d0c4e6fa8b0c2d4e6f8a0b2',
        kernelVersion: '6.1.112-124.190.amzn2023.x86_64',
        osImage: 'Amazon Linux 2023.6.20241031',
        containerRuntimeVersion: 'containerd://1.7.22',
        kubeletVersion: 'v1.36.0',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
      images: Array.from({ length: IMAGES }, (_, at) => imageOf((row * 7 + at * 11) % 200)),
    },
  };
}

/** @param {string} name @param {string} zone */
function labelsOf(name, zone) {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'eks.amazonaws.com/capacityType': 'ON_DEMAND',
    'eks.amazonaws.com/nodegroup': 'general-purpose',
    'failure-domain.beta.kubernetes.io/region': 'eu-west-1',
    'failure-domain.beta.kubernetes.io/zone': zone,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': 'm6i.8xlarge',
    'topology.kubernetes.io/region': 'eu-west-1',
    'topology.kubernetes.io/zone': zone,
  };
}

/** @param {string} manager */
function managedBy(manager) {
  const conditions = Object.fromEntries(
    CONDITIONS.map(([type]) => [
      `k:{"type":"${type}"}`,
      { '.': {}, 'f:lastHeartbeatTime': {}, 'f:status': {}, 'f:type': {} },
    ]),
  );
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2025-12-24T09:13:02Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:status': { 'f:conditions': conditions, 'f:images': {} } },
    subresource: 'status',
  };
}

/** @param {number} image */
function imageOf(image) {
  const name = `registry.example.com/shop/service-${image}`;
  const digest = image.toString(16).padStart(2, '0').repeat(32);
  return { names: [`${name}@sha256:${digest}`, `${name}:v1.${image}`], sizeBytes: 50e6 + image };
}
