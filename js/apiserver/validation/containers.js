/**
 * Containers of all kinds.
 * Counterpart: `validateContainers` and its like in pkg/apis/core/validation/validation.go, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../src/kubernetes/field_errors.js';
import {
  devicesErrors,
  hostPortConflicts,
  mountsErrors,
  oneOf,
  portsErrors,
  resizePoliciesErrors,
  variablesErrors,
} from './container_fields.js';
import { labelNameFaults } from '../../src/kubernetes/names.js';
import { probesErrors } from './probes.js';
import { containerResourcesErrors } from '../../src/kubernetes/resource_errors.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];

/** Fields that only containers with the pod's lifetime may have. */
const OF_LASTING = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

/**
 * The objects that the containers of a pod may refer to.
 * @typedef {object} PodScope
 * @property {Map<string, any>} volumes by name
 * @property {Set<string>} claims names in `resourceClaims`
 * @property {string} restartPolicy
 * @property {number} gracePeriod seconds
 */

/**
 * @param {any} spec of a pod
 * @param {string} path of the spec
 * @param {Map<string, any>} volumes the valid ones, by name
 * @returns {FieldError[]}
 */
export function containersErrors(spec, path, volumes) {
  const { initContainers = [], resourceClaims = [] } = spec;
  // A pod that was sent without containers has null here, as in Go.
  const containers = itemsIn(spec.containers);
  const claims = resourceClaims.map((/** @type {any} */ { name }) => name).filter(Boolean);
  /** @type {PodScope} */
  const scope = {
    volumes,
    claims: new Set(claims),
    restartPolicy: spec.restartPolicy,
    gracePeriod: spec.terminationGracePeriodSeconds,
  };
  return [
    ...regularErrors(containers, `${path}.containers`, scope),
    ...initErrors(spec, initContainers, { field: `${path}.initContainers`, scope }),
  ];
}

/**
 * @param {any[]} containers
 * @param {string} field
 * @param {PodScope} scope
 */
function regularErrors(containers, field, scope) {
  if (containers.length === 0) return [required(field)];
  const names = new Set();
  return [
    ...containers.flatMap((container, index) => {
      const path = `${field}[${index}]`;
      return [
        ...commonErrors(container, path, scope),
        ...nameTwice(container, path, names),
        ...probesErrors(container, path, scope.gracePeriod),
        ...restartPolicyErrors(container, path),
      ];
    }),
    ...hostPortConflicts(containers, field),
  ];
}

/**
 * @param {any} spec of the pod
 * @param {any[]} initContainers
 * @param {{ field: string, scope: PodScope }} place
 */
function initErrors({ containers }, initContainers, { field, scope }) {
  const names = new Set(itemsIn(containers).map(({ name }) => name));
  return initContainers.flatMap((container, index) => {
    const path = `${field}[${index}]`;
    const detail = 'may not be set for init containers without restartPolicy=Always';
    return [
      ...commonErrors(container, path, scope),
      ...restartPolicyErrors(container, path),
      ...nameTwice(container, path, names),
      // They run one by one, so only ports within one can conflict. Upstream names the first
      // conflict, whichever it is.
      ...hostPortConflicts([container], field),
      ...(container.restartPolicy === 'Always'
        ? probesErrors(container, path, scope.gracePeriod)
        : OF_LASTING.filter((name) => container[name]).map((name) =>
            forbiddenField(`${path}.${name}`, detail),
          )),
    ];
  });
}

/**
 * @param {any} container
 * @param {string} path
 * @param {Set<string>} names of the preceding containers
 */
function nameTwice({ name }, path, names) {
  const isTwice = name && names.has(name);
  names.add(name);
  return isTwice ? [duplicate(`${path}.name`, name)] : [];
}

/**
 * @param {any} container
 * @param {string} path
 */
function restartPolicyErrors({ restartPolicy }, path) {
  if (restartPolicy === undefined || RESTART_POLICIES.includes(restartPolicy)) return [];
  return [notSupported(`${path}.restartPolicy`, restartPolicy, RESTART_POLICIES)];
}

/**
 * @param {any} container
 * @param {string} path
 * @param {PodScope} scope
 * @returns {FieldError[]}
 */
function commonErrors(container, path, { volumes, claims, restartPolicy }) {
  const { name, image, ports = [], env = [], resizePolicy = [] } = container;
  return [
    ...nameErrors(name, `${path}.name`),
    ...(image ? [] : [required(`${path}.image`)]),
    ...oneOf(
      container.terminationMessagePolicy,
      `${path}.terminationMessagePolicy`,
      MESSAGE_POLICIES,
    ),
    ...portsErrors(ports, `${path}.ports`),
    ...variablesErrors(env, `${path}.env`),
    ...mountsErrors(container, `${path}.volumeMounts`, volumes),
    ...devicesErrors(container, `${path}.volumeDevices`, volumes),
    ...oneOf(container.imagePullPolicy, `${path}.imagePullPolicy`, PULL_POLICIES),
    ...containerResourcesErrors(container.resources, `${path}.resources`, claims),
    ...resizePoliciesErrors(resizePolicy, `${path}.resizePolicy`, restartPolicy),
  ];
}

/**
 * @param {string | undefined} name
 * @param {string} field
 * @param {(name: string) => string[]} [faultsOf]
 */
export function nameErrors(name, field, faultsOf = labelNameFaults) {
  if (!name) return [required(field)];
  return faultsOf(name).map((fault) => invalidValue(field, name, fault));
}

/**
 * Rules for the containers of pods that do not apply to templates.
 * @param {any[]} containers
 * @param {string} field
 * @returns {FieldError[]}
 */
export function imagesErrors(containers, field) {
  return containers.flatMap(({ image = '' }, index) =>
    image.trim() === image
      ? []
      : [
          invalidValue(
            `${field}[${index}].image`,
            image,
            'must not have leading or trailing whitespace',
          ),
        ],
  );
}
