/** Finds the smallest edits of a pod or of a node with which the pod goes to that node. */
import { untoleratedTaints } from '../../kubernetes/node_match.js';
import { podRequests } from '../../kubernetes/pod_requests.js';
import { itemsIn } from '../../kubernetes/values.js';
import { changesOf } from '../fix/edit.js';
import { labelNode } from '../fix/node_selection.js';
import { plansForNode } from '../fix/plans.js';
import { addToleration } from '../fix/taints.js';
import { requestOf } from '../fix/requests.js';

/**
 * @import { Evaluation } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Flip } from '../contrast.js'
 * @import { Edit, TemplateOwner } from '../fix/edit.js'
 * @import { Question } from '../fix/question.js'
 */

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The most sets of edits that are tried to end the refusals of a node. */
const SETS_MAX = 24;

/** The factor between two requests that are tried, and the number of them in each direction. */
const STEP = 1.25;
const STEPS = 16;

const NANO = 1_000_000_000n;

/**
 * @param {Evaluation} evaluation with culprits
 * @param {string} node
 * @param {{ question: Question, workload?: TemplateOwner }} parts
 * @returns {Promise<Flip[]>} the smallest of each kind, the smallest first
 */
export async function flipsByEdits(evaluation, node, { question, workload }) {
  const object = /** @type {KubernetesObject} */ (question.get('Node', node));
  const { pod } = question;
  const flips = evaluation.feasible?.includes(node)
    ? [
        await firstFlip(tolerations(pod, object), node, question),
        await firstFlip(preferredLabels(pod, object), node, question),
        await requestFlip('cpu', node, question),
        await requestFlip('memory', node, question),
      ]
    : [await firstFlip(await admissions(evaluation, node, question), node, question)];
  return flips
    .filter((edits) => edits !== undefined)
    .map((edits) => ({
      by: nameOf(edits),
      sentence: edits.map(({ sentence }) => sentence).join(', and '),
      changes: changesOf(pod, edits, workload),
    }));
}

/** @param {Edit[]} edits @returns {Flip['by']} */
function nameOf(edits) {
  if (edits.length > 1) return 'Other';
  switch (edits[0].kind) {
    case 'LowerRequest':
      return 'Request';
    case 'AddToleration':
      return 'Toleration';
    case 'LabelNode':
      return 'Label';
    default:
      return 'Other';
  }
}

/**
 * Returns the first set with which the pod goes to the node.
 * @param {Edit[][]} sets
 * @param {string} node
 * @param {Question} question
 * @returns {Promise<Edit[] | undefined>}
 */
async function firstFlip(sets, node, question) {
  for (const edits of sets.slice(0, SETS_MAX))
    if ((await question.try(edits)).node === node) return edits;
  return undefined;
}

/**
 * Returns sets that end the refusals of a node.
 * @param {Evaluation} evaluation
 * @param {string} node
 * @param {Question} question
 * @returns {Promise<Edit[][]>}
 */
async function admissions({ culprits = [] }, node, question) {
  const { pod } = question;
  const listed = culprits.filter((culprit) => culprit.node === node);
  const refusals = listed.length > 0 ? listed : await refusalsOf(node, question);
  return plansForNode(refusals, pod, question);
}

/**
 * Returns the culprits of a node that is not among the nearest: a pod that requires this node has
 * it as the nearest.
 * @param {string} node
 * @param {Question} question
 */
async function refusalsOf(node, { scheduler, pod }) {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = itemsIn(required?.nodeSelectorTerms);
  const nodeSelectorTerms = (terms.length > 0 ? terms : [{}]).map((term) => ({
    ...term,
    matchFields: [...itemsIn(term.matchFields), ...matchFields],
  }));
  const nodeAffinity = {
    ...pod.spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  };
  const asked = { ...pod, spec: { ...pod.spec, affinity: { ...pod.spec.affinity, nodeAffinity } } };
  const { culprits = [] } = await scheduler.evaluateAsync(asked, {
    culprits: true,
    everyNode: true,
    preemption: false,
  });
  return culprits.filter((culprit) => culprit.node === node);
}

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} node
 * @returns {Edit[][]}
 */
function tolerations(pod, node) {
  const taints = untoleratedTaints(pod.spec, node, ['PreferNoSchedule']);
  const edits = taints.map(addToleration);
  return [...edits.map((edit) => [edit]), ...(edits.length > 1 ? [edits] : [])];
}

/**
 * Labels that the pod prefers, each term alone, the heaviest first.
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} node
 * @returns {Edit[][]}
 */
function preferredLabels(pod, node) {
  const terms = [...itemsIn(pod.spec.affinity?.nodeAffinity?.[PREFERRED])];
  return terms
    .sort((a, b) => b.weight - a.weight)
    .flatMap(({ preference }) => {
      const rules = itemsIn(preference?.matchExpressions);
      const isSettable = rules.length > 0 && rules.every(({ operator }) => operator === 'In');
      if (!isSettable) return [];
      const labels = Object.fromEntries(
        rules.map(({ key, values }) => [key, itemsIn(values)[0] ?? '']),
      );
      return [[labelNode(node, labels)]];
    });
}

/**
 * Returns the smallest change of a request with which the pod goes to the node: steps of a quarter
 * up and down find the nearest, halving finds its edge.
 * @param {'cpu' | 'memory'} resource
 * @param {string} node
 * @param {Question} question
 * @returns {Promise<Edit[] | undefined>}
 */
async function requestFlip(resource, node, question) {
  const asked = podRequests(question.pod.spec).get(resource) ?? 0n;
  if (asked === 0n) return undefined;
  const unit = resource === 'cpu' ? NANO / 1000n : NANO << 20n;
  const whole = (/** @type {number} */ amount) => {
    const rounded = BigInt(Math.round(amount / Number(unit))) * unit;
    return rounded > 0n ? rounded : unit;
  };
  const flips = async (/** @type {bigint} */ value) => {
    const edit = requestOf(question.pod, { resource, value, asked });
    return edit && (await question.try([edit])).node === node ? edit : undefined;
  };
  for (let step = 1; step <= STEPS; step++) {
    for (const factor of [STEP ** step, STEP ** -step]) {
      const value = whole(Number(asked) * factor);
      const found = await flips(value);
      if (!found) continue;
      const inner = whole(Number(asked) * (factor > 1 ? STEP ** (step - 1) : STEP ** (1 - step)));
      return [await nearest({ from: inner, to: value, unit, found }, flips)];
    }
  }
  return undefined;
}

/**
 * Halves the range between a value that does not flip and one that does.
 * @param {{ from: bigint, to: bigint, unit: bigint, found: Edit }} range
 * @param {(value: bigint) => Promise<Edit | undefined>} flips
 * @returns {Promise<Edit>}
 */
async function nearest({ from, to, unit, found }, flips) {
  let best = found;
  let [far, near] = [from, to];
  while (near - far > unit || far - near > unit) {
    const middle = far + ((near - far) / 2n / unit) * unit;
    if (middle === far) break;
    const edit = await flips(middle);
    if (edit) {
      best = edit;
      near = middle;
    } else far = middle;
  }
  return best;
}
