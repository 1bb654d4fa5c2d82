/**
 * The defaults of pods and of their templates.
 * Counterpart: pkg/apis/core/v1/defaults.go, v1.36.
 */
import {
  schedulerNameOf,
  withPortDefaults,
  withRequestsOfLimits,
} from '../../src/kubernetes/pod_defaults.js';
import { podLevelRequests } from '../../src/kubernetes/pod_requests.js';
import { pullPolicyOf, withVolumeSourceDefaults } from './volume_source.js';

/** @import { KubernetesObject } from '../../src/kubernetes/types.js' */

/** @param {KubernetesObject} pod */
export function podDefaults(pod) {
  const spec = podSpecDefaults(pod.spec ?? {});
  for (const field of ['containers', 'initContainers']) {
    if (spec[field]) spec[field] = spec[field].map(withRequestsOfLimits);
  }
  const requests = podLevelRequests(spec);
  if (requests) spec.resources = { ...spec.resources, requests };
  return { ...pod, spec };
}

/**
 * Returns a `PodTemplateSpec` with its defaults; undefined stays undefined.
 * @param {any} template
 */
export function templateDefaults(template) {
  if (!template) return template;
  return { ...template, spec: podSpecDefaults(template.spec ?? {}) };
}

/**
 * @param {Record<string, any>} spec
 * @returns {Record<string, any>}
 */
function podSpecDefaults(spec) {
  const { containers, initContainers, ephemeralContainers, volumes } = spec;
  const account = spec.serviceAccountName || spec.serviceAccount;
  const complete = (/** @type {any} */ container) =>
    withPortDefaults(containerDefaults(container), spec.hostNetwork);
  return {
    ...spec,
    ...(volumes && { volumes: volumes.map(withVolumeSourceDefaults) }),
    ...(initContainers && { initContainers: initContainers.map(complete) }),
    ...(containers && { containers: containers.map(complete) }),
    ...(ephemeralContainers && { ephemeralContainers: ephemeralContainers.map(complete) }),
    restartPolicy: spec.restartPolicy || 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: spec.dnsPolicy || 'ClusterFirst',
    // The API server writes the deprecated alias beside the name.
    ...(account && { serviceAccountName: account, serviceAccount: account }),
    securityContext: spec.securityContext ?? {},
    schedulerName: schedulerNameOf(spec),
  };
}

/** @param {any} container */
function containerDefaults(container) {
  const { env, lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  return {
    ...container,
    ...(env && { env: env.map(variableDefaults) }),
    ...(lifecycle && { lifecycle: lifecycleDefaults(lifecycle) }),
    ...(livenessProbe && { livenessProbe: probeDefaults(livenessProbe) }),
    ...(readinessProbe && { readinessProbe: probeDefaults(readinessProbe) }),
    ...(startupProbe && { startupProbe: probeDefaults(startupProbe) }),
    terminationMessagePath: container.terminationMessagePath || '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy || 'File',
    imagePullPolicy: container.imagePullPolicy || pullPolicyOf(container.image),
  };
}

/** @param {any} variable */
function variableDefaults(variable) {
  const fieldRef = variable.valueFrom?.fieldRef;
  if (!fieldRef || fieldRef.apiVersion) return variable;
  const valueFrom = { ...variable.valueFrom, fieldRef: { apiVersion: 'v1', ...fieldRef } };
  return { ...variable, valueFrom };
}

/** @param {any} probe */
function probeDefaults(probe) {
  const { grpc } = probe;
  return {
    ...withHttpDefaults(probe),
    ...(grpc && { grpc: { ...grpc, service: grpc.service ?? '' } }),
    timeoutSeconds: probe.timeoutSeconds ?? 1,
    periodSeconds: probe.periodSeconds ?? 10,
    successThreshold: probe.successThreshold ?? 1,
    failureThreshold: probe.failureThreshold ?? 3,
  };
}

/** @param {any} lifecycle */
function lifecycleDefaults({ postStart, preStop, ...others }) {
  return {
    ...others,
    ...(postStart && { postStart: withHttpDefaults(postStart) }),
    ...(preStop && { preStop: withHttpDefaults(preStop) }),
  };
}

/** @param {any} handler */
function withHttpDefaults(handler) {
  const { httpGet } = handler;
  return httpGet ? { ...handler, httpGet: { path: '/', scheme: 'HTTP', ...httpGet } } : handler;
}
