/** Reads the models of a pool's nodes. */
import { parseInput } from '../../manifests/parse_input.js';
import { PUBLISHED_KINDS } from '../../whatif/model_nodes.js';
import { BadInputError, describeProblem } from '../terminal/problems.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Source } from './inputs.js'
 */

/**
 * Returns the model of a pool's nodes, and what drivers publish for it.
 * @param {string} name of the pool's file
 * @param {Source[]} sources what is read of it
 * @returns {{ node: KubernetesObject, objects: KubernetesObject[] }}
 * @throws {BadInputError} if it cannot be read, or does not have one Node
 */
export function poolIn(name, sources) {
  /** @type {string[]} */
  const problems = [];
  const all = sources.flatMap((source) => {
    const options = {
      onError: (/** @type {any} */ error) => problems.push(describeProblem(source.name, error)),
    };
    return parseInput(source.text, options);
  });
  if (problems.length > 0) throw new BadInputError(problems);
  const nodes = all.filter(({ kind }) => kind === 'Node');
  if (nodes.length !== 1)
    throw new BadInputError([
      `${name}: there are ${nodes.length || 'no'} nodes; ` +
        'a pool has one, as an example of its nodes',
    ]);
  const objects = all.filter(({ kind = '' }) => PUBLISHED_KINDS.includes(kind));
  return { node: nodes[0], objects };
}
