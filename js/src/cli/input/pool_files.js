/** Reads the models of a pool's nodes. */
import { InputError } from '../../kubernetes/errors.js';
import { resourceOf } from '../../kubernetes/kinds.js';
import { parseInput } from '../../manifests/parse_input.js';
import { PUBLISHED_KINDS } from '../../whatif/model_nodes.js';
import { BadInputError, Problems } from '../terminal/problems.js';
import { shown } from './inputs.js';
import { faultsIn } from './unknown_objects.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Host } from '../host.js'
 * @import { Source } from './inputs.js'
 */

/**
 * Returns the model of a pool's nodes, and what drivers publish for it.
 * @param {string} name of the pool's file
 * @param {Source[]} sources what is read of it
 * @param {Host} host
 * @returns {Promise<{ node: KubernetesObject, objects: KubernetesObject[], leftAside:
 *   KubernetesObject[] }>} `leftAside`: objects of other projects
 * @throws {BadInputError} if it cannot be read, does not have one Node, or has further objects of
 *   Kubernetes
 */
export async function poolIn(name, sources, host) {
  const problems = new Problems();
  const others = new Problems();
  /** @type {KubernetesObject[]} */
  const all = [];
  for (const source of sources) {
    const onError = (/** @type {InputError} */ error) => problems.addError(source.name, error);
    const objects = parseInput(source.text, { onError });
    for (const { error, object } of await faultsIn(objects, host))
      problems.addError(source.name, error, object);
    for (const object of objects.filter(isOther))
      others.addError(source.name, notOfPool(object), object);
    all.push(...objects);
  }
  problems.throwAny();
  const nodes = all.filter(({ kind }) => kind === 'Node');
  if (nodes.length !== 1)
    throw new BadInputError([
      `${shown(name)}: there are ${nodes.length || 'no'} nodes; ` +
        'a pool has one, as an example of its nodes',
    ]);
  others.throwAny();
  const objects = all.filter(({ kind = '' }) => PUBLISHED_KINDS.includes(kind));
  return { node: nodes[0], objects, leftAside: all.filter((object) => !isPart(object)) };
}

/** Whether Kubernetes serves it, and it is no part of a pool. @param {KubernetesObject} object */
function isOther(object) {
  return resourceOf(object) !== undefined && !isPart(object);
}

/** @param {KubernetesObject} object */
function isPart({ kind = '' }) {
  return kind === 'Node' || PUBLISHED_KINDS.includes(kind);
}

/** @param {KubernetesObject} object */
function notOfPool({ apiVersion, kind, metadata }) {
  const parts = PUBLISHED_KINDS.join(', ');
  const detail = `a pool has one Node, and what drivers publish for it (${parts}); no ${kind}`;
  const { namespace, name } = metadata ?? {};
  const code = 'FieldValueNotSupported';
  return new InputError({ code, apiVersion, kind, namespace, name, field: 'kind', detail });
}
