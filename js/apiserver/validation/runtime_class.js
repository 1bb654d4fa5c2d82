/**
 * RuntimeClasses.
 * Counterpart: pkg/apis/node/validation/validation.go, v1.36.
 */
import { duplicate, invalidValue } from '../../src/kubernetes/field_errors.js';
import { labelNameFaults } from '../../src/kubernetes/names.js';
import { labelErrors } from './object_meta.js';
import { containerResourcesErrors } from '../../src/kubernetes/resource_errors.js';
import { tolerationsErrors } from './scheduling.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

/** @param {KubernetesObject} runtimeClass @returns {FieldError[]} */
export function runtimeClassErrors({ handler = '', overhead, scheduling }) {
  const { nodeSelector = {}, tolerations = [] } = scheduling ?? {};
  const field = 'scheduling.tolerations';
  return [
    ...labelNameFaults(handler).map((fault) => invalidValue('handler', handler, fault)),
    ...(overhead ? containerResourcesErrors({ limits: overhead.podFixed }, 'overhead') : []),
    ...labelErrors(nodeSelector, 'scheduling.nodeSelector'),
    ...tolerationsErrors(tolerations, field),
    ...repeatedErrors(tolerations, field),
  ];
}

/**
 * @param {KubernetesObject} runtimeClass
 * @param {KubernetesObject} old
 */
export function runtimeClassUpdateErrors({ handler }, old) {
  return handler === old.handler ? [] : [invalidValue('handler', handler, 'field is immutable')];
}

/**
 * @param {any[]} tolerations
 * @param {string} field
 */
function repeatedErrors(tolerations, field) {
  const known = new Set();
  return tolerations.flatMap((one, index) => {
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds = null } = one;
    const identity = JSON.stringify([key, operator, value, effect]);
    const isKnown = known.has(identity);
    known.add(identity);
    // In the field order of the API server's own type.
    const whole = { Key: key, Operator: operator, Value: value, Effect: effect };
    const given = { ...whole, TolerationSeconds: tolerationSeconds };
    return isKnown ? [duplicate(`${field}[${index}]`, given)] : [];
  });
}
