/**
 * Validates the resize of a pod, which may change cpu and memory. Counterpart: `ValidatePodResize`
 * of pkg/apis/core/validation, v1.36, without its rules about removed resources, and about the QoS
 * class.
 */
import { forbiddenField } from '../../src/kubernetes/field_errors.js';
import { isEqual } from '../frozen.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

/**
 * @param {any} spec of the pod, with everything except resources and resize policies as before
 * @param {any} old
 * @returns {FieldError[]}
 */
export function podResizeErrors(spec, old) {
  const errors = [
    ...sameContainersErrors('containers', spec, old),
    ...sameContainersErrors('initContainers', spec, old),
  ];
  if (errors.length > 0) return errors;
  const frozen = initContainersErrors(spec.initContainers, old.initContainers);
  if (frozen.length > 0 || isEqual(withoutResizable(spec), withoutResizable(old))) return frozen;
  return [forbiddenField('spec', 'only cpu and memory resources are mutable')];
}

/**
 * @param {'containers' | 'initContainers'} field
 * @param {any} spec
 * @param {any} old
 */
function sameContainersErrors(field, { [field]: containers }, { [field]: before }) {
  const names = namesOf(containers);
  const known = namesOf(before);
  if (names.length !== known.length) {
    return [forbiddenField(`spec.${field}`, `${field} may not be added or removed on resize`)];
  }
  return names.flatMap((name, index) => {
    const path = `spec.${field}[${index}].name`;
    const detail = `${field} may not be renamed or reordered on resize`;
    return name === known[index] ? [] : [forbiddenField(path, detail)];
  });
}

/** @param {any[] | null | undefined} containers */
function namesOf(containers) {
  return (containers ?? []).map(({ name }) => name);
}

/**
 * Init containers that end before the pod runs cannot be resized.
 * @param {any[]} [containers]
 * @param {any[]} [old] the same number of containers
 */
function initContainersErrors(containers = [], old = []) {
  return containers.flatMap(({ restartPolicy, resources }, index) => {
    const isSame = restartPolicy === 'Always' || isEqual(resources, old[index].resources);
    const path = `spec.initContainers[${index}].resources`;
    const detail = 'resources for non-sidecar init containers are immutable';
    return isSame ? [] : [forbiddenField(path, detail)];
  });
}

/** @param {any} spec */
function withoutResizable({ containers, initContainers = [], resources, ...spec }) {
  const fixed = (/** @type {any} */ container) => ({
    ...container,
    resources: fixedResources(container.resources),
  });
  return {
    ...spec,
    containers: containers.map(fixed),
    initContainers: initContainers.map(fixed),
    resources: fixedResources(resources),
  };
}

/** @param {any} [resources] */
function fixedResources({ requests, limits, ...others } = {}) {
  return {
    ...others,
    requests: withoutCpuAndMemory(requests),
    limits: withoutCpuAndMemory(limits),
  };
}

/** @param {Record<string, string>} [list] */
function withoutCpuAndMemory({ cpu: _cpu, memory: _memory, ...others } = {}) {
  return others;
}
