/** Reports the faults of an input that the engine finds, in the place where they were written. */
import { BatchError, InputError } from '../../kubernetes/errors.js';
import { applyCluster } from '../cluster/batches.js';
import { BadInputError, describeProblem, Problems } from '../terminal/problems.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Host } from '../host.js'
 * @import { Validation } from '../cluster/validation.js'
 */

/**
 * Returns the warnings of a validation. The engine is asked about files with values that cannot be
 * decoded: it refuses those that it reads, and its errors are better than a warning.
 * @param {Validation} validation
 * @param {() => Pick<Cluster, 'batches' | 'problems'>} read returns the objects that were validated
 * @param {Host} host
 * @returns {Promise<string[]>}
 */
export async function validationWarnings(validation, read, host) {
  const { doubtful } = validation;
  if (doubtful.size === 0) return validation.warnings();
  const cluster = read();
  const problems = new Problems(cluster.problems);
  const batches = cluster.batches.filter(({ name }) => doubtful.has(name));
  const found = { pods: new Map(), notTaken: new Map(), ignoredKinds: new Map() };
  const scheduler = (await host.loadEngine()).createScheduler({ keepObjects: false });
  try {
    applyCluster(scheduler, { batches, problems, ...found });
  } finally {
    scheduler.dispose();
  }
  return validation.warnings(problems);
}

/**
 * Returns an error about a numbered copy of an object as one about the object.
 * @param {unknown} error
 * @param {{ source: string, object: KubernetesObject }[]} models the objects and their files
 * @returns {unknown} the error itself if it is about something else
 */
export function faultOfModel(error, models) {
  const [cause] = error instanceof BatchError ? error.errors : [error];
  if (!(cause instanceof InputError)) return error;
  const name = cause.objectName?.replace(/-\d+$/, '');
  const model = models.find(
    ({ object: { kind, metadata } }) => kind === cause.kind && metadata.name === name,
  );
  if (!model) return error;
  const { message: _, ...fields } = cause.toJSON();
  const own = new InputError({ ...fields, name });
  return new BadInputError([describeProblem(model.source, own, model.object)]);
}
