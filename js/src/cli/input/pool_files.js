/** Reads the models of a pool's nodes. */
import { parseInput } from '../../manifests/parse_input.js';
import { PUBLISHED_KINDS } from '../../whatif/model_nodes.js';
import { BadInputError, Problems } from '../terminal/problems.js';
import { faultsOfUnknown } from './unknown_objects.js';

/**
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Host } from '../host.js'
 * @import { Source } from './inputs.js'
 */

/**
 * Returns the model of a pool's nodes, and what drivers publish for it.
 * @param {string} name of the pool's file
 * @param {Source[]} sources what is read of it
 * @param {Host} host
 * @returns {Promise<{ node: KubernetesObject, objects: KubernetesObject[] }>}
 * @throws {BadInputError} if it cannot be read, or does not have one Node
 */
export async function poolIn(name, sources, host) {
  const problems = new Problems();
  /** @type {KubernetesObject[]} */
  const all = [];
  for (const source of sources) {
    const onError = (/** @type {InputError} */ error) => problems.addError(source.name, error);
    const objects = parseInput(source.text, { onError });
    for (const { error, object } of await faultsOfUnknown(objects, host))
      problems.addError(source.name, error, object);
    all.push(...objects);
  }
  problems.throwAny();
  const nodes = all.filter(({ kind }) => kind === 'Node');
  if (nodes.length !== 1)
    throw new BadInputError([
      `${name}: there are ${nodes.length || 'no'} nodes; ` +
        'a pool has one, as an example of its nodes',
    ]);
  const objects = all.filter(({ kind = '' }) => PUBLISHED_KINDS.includes(kind));
  return { node: nodes[0], objects };
}
