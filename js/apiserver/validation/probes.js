/**
 * Probes and lifecycle hooks of containers.
 * Counterpart: `validateProbe` and `validateLifecycle` of pkg/apis/core/validation/validation.go,
 * v1.36.
 */
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../src/kubernetes/field_errors.js';
import { portNumberErrors } from './container_fields.js';
import { headerNameFaults, portNameFaults } from '../../src/kubernetes/names.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const SCHEMES = ['HTTP', 'HTTPS'];
const NOT_NEGATIVE = [
  ...['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds'],
  ...['successThreshold', 'failureThreshold'],
];

/** The required fields of each kind of handler. @type {Record<string, Function>} */
const HANDLERS = {
  exec: (/** @type {any} */ { command = [] }, /** @type {string} */ path) =>
    command.length > 0 ? [] : [required(`${path}.command`)],
  httpGet: httpGetErrors,
  tcpSocket: (/** @type {any} */ { port }, /** @type {string} */ path) =>
    portErrors(port, `${path}.port`),
  grpc: (/** @type {any} */ { port }, /** @type {string} */ path) =>
    portErrors(port, `${path}.port`),
  sleep: sleepErrors,
};
const OF_PROBES = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const OF_HOOKS = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

/**
 * @param {any} container with its defaults
 * @param {string} path
 * @param {number} gracePeriod of the pod: seconds
 * @returns {FieldError[]}
 */
export function probesErrors({ lifecycle, ...probes }, path, gracePeriod) {
  const hooks = ['postStart', 'preStop'].filter((name) => lifecycle?.[name]);
  return [
    ...hooks.flatMap((name) => {
      const field = `${path}.lifecycle.${name}`;
      return handlerErrors(lifecycle[name], field, { kinds: OF_HOOKS, gracePeriod });
    }),
    ...['livenessProbe', 'readinessProbe', 'startupProbe']
      .filter((name) => probes[name])
      .flatMap((name) => probeErrors(probes[name], `${path}.${name}`, name)),
  ];
}

/**
 * @param {any} probe
 * @param {string} path
 * @param {string} name
 */
function probeErrors(probe, path, name) {
  const { terminationGracePeriodSeconds: gracePeriod, successThreshold } = probe;
  const at = `${path}.terminationGracePeriodSeconds`;
  const isOfReadiness = name === 'readinessProbe';
  return [
    ...handlerErrors(probe, path, { kinds: OF_PROBES }),
    ...NOT_NEGATIVE.filter((field) => probe[field] < 0).map((field) =>
      invalidValue(`${path}.${field}`, probe[field], 'must be greater than or equal to 0'),
    ),
    ...(gracePeriod <= 0 ? [invalidValue(at, gracePeriod, 'must be greater than 0')] : []),
    ...(isOfReadiness && gracePeriod !== undefined
      ? [invalidValue(at, gracePeriod, 'must not be set for readinessProbes')]
      : []),
    ...(isOfReadiness || successThreshold === 1
      ? []
      : [invalidValue(`${path}.successThreshold`, successThreshold, 'must be 1')]),
  ];
}

/**
 * There must be exactly one handler.
 * @param {any} handler
 * @param {string} path
 * @param {{ kinds: string[], gracePeriod?: number }} rule
 * @returns {FieldError[]}
 */
function handlerErrors(handler, path, { kinds, gracePeriod }) {
  const [first, ...others] = kinds.filter((kind) => handler[kind]);
  if (!first) return [required(path, 'must specify a handler type')];
  return [
    ...HANDLERS[first](handler[first], `${path}.${first}`, gracePeriod),
    ...others.map((kind) =>
      forbiddenField(`${path}.${kind}`, 'may not specify more than 1 handler type'),
    ),
  ];
}

/**
 * @param {any} action
 * @param {string} path
 * @returns {FieldError[]}
 */
function httpGetErrors({ path: asked, port, scheme = 'HTTP', httpHeaders = [] }, path) {
  return [
    ...(asked === '' ? [required(`${path}.path`)] : []),
    ...portErrors(port, `${path}.port`),
    ...(SCHEMES.includes(scheme) ? [] : [notSupported(`${path}.scheme`, scheme, SCHEMES)]),
    ...httpHeaders.flatMap((/** @type {any} */ { name = '' }) =>
      headerNameFaults(name).map((fault) => invalidValue(`${path}.httpHeaders`, name, fault)),
    ),
  ];
}

/**
 * @param {any} action
 * @param {string} path
 * @param {number} gracePeriod
 */
function sleepErrors({ seconds = 0 }, path, gracePeriod) {
  if (seconds >= 0 && seconds <= gracePeriod) return [];
  const most = `terminationGracePeriodSeconds (${gracePeriod})`;
  const detail = `must be non-negative and less than ${most}`;
  return [invalidValue(path, seconds, detail)];
}

/**
 * @param {number | string | undefined} port a number or the name of one
 * @param {string} field
 */
function portErrors(port = 0, field) {
  if (typeof port === 'number') return portNumberErrors(port, field);
  return portNameFaults(port).map((fault) => invalidValue(field, port, fault));
}
