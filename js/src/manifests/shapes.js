/**
 * Checks the fields from which a workload's pods are created. Deployments, DaemonSets and Jobs do
 * not reach the engine, so their errors have to be found here.
 */
import { isToBeNamed } from '../kubernetes/defaults.js';
import { InputError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/values.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

const REQUIRED_NODES =
  'spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';

/**
 * Paths to objects, to lists of objects (`[]`) and to lists of any items (`[*]`); absent fields are
 * valid.
 */
const SHAPES = [
  'metadata',
  'metadata.ownerReferences[]',
  'spec',
  'spec.selector',
  'spec.selector.matchLabels',
  'spec.ordinals',
  'spec.volumeClaimTemplates[].metadata.labels',
  'spec.volumeClaimTemplates[].metadata.annotations',
  'spec.volumeClaimTemplates[].spec',
  'spec.template',
  'spec.template.metadata',
  'spec.template.metadata.labels',
  'spec.template.metadata.annotations',
  'spec.template.spec',
  'spec.template.spec.nodeSelector',
  'spec.template.spec.tolerations[]',
  'spec.template.spec.volumes[]',
  'spec.template.spec.affinity',
  'spec.template.spec.affinity.nodeAffinity',
  REQUIRED_NODES,
  `${REQUIRED_NODES}.nodeSelectorTerms[].matchExpressions[].values[*]`,
  `${REQUIRED_NODES}.nodeSelectorTerms[].matchFields[].values[*]`,
  'status',
  'status.conditions[]',
];

/** The maximum length of a wrong value in a message. */
const SHOWN = 40;

/**
 * @param {KubernetesObject} workload
 * @throws {InputError} names the first field of another type
 */
export function checkShapes(workload) {
  for (const shape of SHAPES) check(workload, workload, shape.split('.'), '');
  if (!workload.metadata?.name && !isToBeNamed(workload))
    throw fieldError(workload, 'metadata.name', 'FieldValueRequired', 'a name is needed');
  if (!workload.spec?.template?.spec)
    throw fieldError(
      workload,
      'spec.template.spec',
      'FieldValueRequired',
      'a pod template is needed',
    );
}

/**
 * @param {KubernetesObject} workload
 * @param {any} parent
 * @param {string[]} steps
 * @param {string} path of the parent
 */
function check(workload, parent, [step, ...rest], path) {
  const [name, mark] = step.split('[');
  const field = path === '' ? name : `${path}.${name}`;
  const value = parent[name];
  if (value === undefined || value === null) return;
  if (mark === undefined) {
    checkRecord(workload, value, rest, field);
    return;
  }
  if (!Array.isArray(value)) throw typeError(workload, field, 'a list', value);
  if (mark === '*]') return;
  value.forEach((item, index) => checkRecord(workload, item, rest, `${field}[${index}]`));
}

/**
 * @param {KubernetesObject} workload
 * @param {unknown} value
 * @param {string[]} rest the remaining steps
 * @param {string} field
 */
function checkRecord(workload, value, rest, field) {
  if (!isRecord(value)) throw typeError(workload, field, 'an object', value);
  if (rest.length > 0) check(workload, value, rest, field);
}

/**
 * @param {KubernetesObject} workload
 * @param {string} field
 * @param {string} wanted
 * @param {unknown} value
 */
function typeError(workload, field, wanted, value) {
  const shown = (JSON.stringify(value) ?? String(value)).slice(0, SHOWN);
  const detail = `${wanted} is expected, not ${shown}`;
  return fieldError(workload, field, 'FieldValueTypeInvalid', detail);
}

/**
 * @param {KubernetesObject} object
 * @param {string} field
 * @param {string} code
 * @param {string} detail
 */
export function fieldError({ apiVersion, kind, metadata }, field, code, detail) {
  const { namespace, name } = metadata ?? {};
  return new InputError({ code, apiVersion, kind, namespace, name, field, detail });
}
