/** Objects of resource.k8s.io for tests of the API server. */
import { inDefault } from './workloads.js';

/** @param {object} [exactly] fields of the request */
export function request(exactly) {
  return { name: 'gpu', exactly: { deviceClassName: 'gpu.example.com', ...exactly } };
}

/** @param {object} [devices] of the spec @param {object} [metadata] */
export function claim(devices, metadata) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'c', ...inDefault, ...metadata },
    spec: { devices: { requests: [request()], ...devices } },
  };
}

/** @param {object} [devices] of the claims' spec @param {object} [metadata] */
export function claimTemplate(devices, metadata) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 't', ...inDefault, ...metadata },
    spec: { spec: { devices: { requests: [request()], ...devices } } },
  };
}

/** @param {object} [spec] */
export function slice(spec) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 's' },
    spec: {
      driver: 'gpu.example.com',
      pool: { name: 'n1', generation: 1, resourceSliceCount: 1 },
      nodeName: 'n1',
      devices: [{ name: 'gpu-0' }],
      ...spec,
    },
  };
}

/** @param {object} [spec] */
export function deviceClass(spec = {}) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'gpu.example.com' },
    spec,
  };
}

/** @param {object} [spec] */
export function taintRule(spec) {
  return {
    apiVersion: 'resource.k8s.io/v1beta2',
    kind: 'DeviceTaintRule',
    metadata: { name: 'r' },
    spec: { taint: { key: 'example.com/broken', effect: 'NoSchedule' }, ...spec },
  };
}

/** A result of an allocation. @param {object} [fields] */
export function result(fields) {
  return { request: 'gpu', driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0', ...fields };
}

/** The status of an allocated claim. @param {object} [fields] of its result */
export function allocated(fields) {
  return { allocation: { devices: { results: [result(fields)] } } };
}
