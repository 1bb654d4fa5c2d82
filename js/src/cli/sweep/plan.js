/** The plan file of a sweep: its question, as a document. */
import { InputError } from '../../kubernetes/errors.js';
import { isRecord } from '../../kubernetes/values.js';
import { parse } from '../../manifests/parse.js';
import { parseFailures } from '../../whatif/sweep/failures.js';
import { readSource } from '../input/inputs.js';
import { BadInputError, describeProblem } from '../terminal/problems.js';

/**
 * @import { SweepQuestion } from '../../whatif/sweep/tasks.js'
 * @import { Host } from '../host.js'
 */

/** @typedef {Omit<SweepQuestion, 'failures'> & { failures: string }} PlannedQuestion */

const KIND = 'SweepPlan';
const FIELDS = /** @type {const} */ ([
  'failures',
  'topologyKey',
  'byLabel',
  'selector',
  'namespace',
]);

/**
 * Returns the plan of a question.
 * @param {PlannedQuestion} question
 */
export function planOf(question) {
  const given = FIELDS.filter((field) => question[field] !== undefined);
  const fields = Object.fromEntries(given.map((field) => [field, question[field]]));
  return { apiVersion: 'stowage/v1', kind: KIND, ...fields };
}

/**
 * Reads a plan.
 * @param {string} name a file, `-`, or a URL
 * @param {Host} host
 * @returns {Promise<PlannedQuestion>}
 * @throws {BadInputError}
 */
export async function readPlan(name, host) {
  const { text } = await readSource(name, host);
  /** @type {string[]} */
  const faults = [];
  const report = (/** @type {InputError} */ error) => faults.push(describeProblem(name, error));
  const documents = parse(text, { onError: report });
  if (faults.length > 0) throw new BadInputError(faults);
  try {
    if (documents.length !== 1)
      throw invalid('', documents.length, 'one document of kind SweepPlan is expected');
    return checkedPlan(documents[0]);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new BadInputError([describeProblem(name, error)]);
  }
}

/**
 * @param {any} plan
 * @returns {PlannedQuestion}
 * @throws {InputError}
 */
function checkedPlan(plan) {
  const { apiVersion, kind, metadata, ...fields } = isRecord(plan) ? plan : {};
  if (apiVersion !== 'stowage/v1') throw invalid('apiVersion', apiVersion, 'must be stowage/v1');
  if (kind !== KIND) throw invalid('kind', kind, `must be ${KIND}`);
  for (const [field, value] of Object.entries(fields)) {
    if (!FIELDS.some((known) => known === field))
      throw invalid(field, value, `there are ${FIELDS.join(', ')}`);
    if (typeof value !== 'string') throw invalid(field, value, 'must be a text');
  }
  if (fields.failures === undefined) throw invalid('failures', undefined, 'is required');
  parseFailures(String(fields.failures), fields);
  return /** @type {PlannedQuestion} */ (fields);
}

/** @param {string} field @param {unknown} value @param {string} detail */
function invalid(field, value, detail) {
  return new InputError({ code: 'FieldValueInvalid', kind: KIND, field, value, detail });
}
