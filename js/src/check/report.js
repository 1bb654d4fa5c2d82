/** Reports whether manifests fit into a cluster, with one verdict per workload. */

/**
 * `RolloutWouldHang`: all replicas find a node once the old ones are gone, but a new one that the
 * update strategy creates beside them never does.
 * @typedef {'Fits' | 'FitsByPreemption' | 'RolloutWouldHang' | 'DoesNotFit' | 'NotChecked'}
 *   WorkloadResult
 */

/**
 * The position of a workload; without a file: standard input.
 * @typedef {{ file?: string, line?: number, column?: number }} Place
 */

/**
 * An unreadable file or object: `code` is that of an InputError, or `Unreadable`.
 * @typedef {{ code: string, message: string, place: Place }} BadInput
 */

/**
 * One workload of the manifests.
 * @typedef {object} WorkloadVerdict
 * @property {string} kind
 * @property {string} namespace
 * @property {string} name
 * @property {WorkloadResult} result
 * @property {number} replicas the number of its pods
 * @property {number} placed the number of pods with a node
 * @property {{ message: string, pods: number }[]} messages why other pods have no node, or the pods
 *   to evict; with the number of pods, most first
 * @property {string[]} waiting its pods without a node, or that wait for another reason,
 *   `namespace/name`
 * @property {string} [nearest] if it does not fit: the node nearest to taking the first waiting
 *   pod, and the reason for its refusal
 * @property {string[]} [unserved] if it does not fit: a sentence about each request of the first
 *   waiting pod's claims that no node can serve
 * @property {string[]} evicts pods of other workloads, `namespace/name`
 * @property {GangVerdict[]} [gangs] with `--gang`: those of its pods
 * @property {Place} place
 */

/**
 * Pods that start together, or not at all.
 * @typedef {object} GangVerdict
 * @property {string} name of the part of the workload, or of its PodGroup; empty: all of it
 * @property {boolean} starts whether `minCount` of the pods have or get a node
 * @property {number} pods
 * @property {number} placed those that have a node or would get one, even if the gang does not
 *   start
 * @property {number} minCount
 * @property {number} largestMinCount with which the gang would start without evicting
 * @property {string} message why it does not start
 * @property {string} [topologyKey] the label of nodes in whose domain all pods have to be
 * @property {{ domain: string, pods: number }} [nearestDomain] the one that takes the most pods
 * @property {{ pod: string, message: string, nearest?: string }} [blocker] the first pod that finds
 *   no node
 * @property {{ helps: boolean | null, pods: string[] }} [order] whether another order of the pods
 *   would help, and the first pod of each kind in that order; null if it is not known
 * @property {string[]} evicts the pods that are in its way, `namespace/name`
 * @property {string[]} notModelled what decides about it elsewhere, and not here
 */

/**
 * The document of `stowage check -o json`; its schema is js/schema/stowage-v1.json.
 * @typedef {object} CheckReport
 * @property {'stowage/v1'} apiVersion
 * @property {'Check'} kind
 * @property {string} kubernetesVersion
 * @property {boolean} fits whether everything could be read, all replicas of all checked workloads
 *   have a node, and no rollout hangs
 * @property {{ workloads: number, fit: number, wouldHang: number, doNotFit: number, notChecked:
 *   number, replicas: number, placed: number }} summary
 * @property {WorkloadVerdict[]} workloads in the order of the manifests
 * @property {import('./types.js').Missing[]} [missing] objects that the input lacks
 * @property {import('./types.js').MadeUpHere[]} [madeUp] claims and volumes
 * @property {string[]} warnings further faults, a line each
 * @property {BadInput[]} problems unreadable files and objects
 */

/** The maximum number of waiting pods that a sentence names. */
const MOST_NAMED = 3;

/** Why a pod is not created: the pods of a StatefulSet have fixed names. */
const NAME_TAKEN = 'cannot be created: another pod has its name';

/**
 * The outcome of one pod.
 * @typedef {object} PodFate
 * @property {string} pod `namespace/name`
 * @property {string} result `Scheduled`, or another result
 * @property {string} message
 * @property {string[]} [evicted] pods that were evicted for it
 * @property {boolean} [waitsForVolumes]
 * @property {string} [note] a remark on a pod that has a node
 */

/**
 * @param {{ kind: string, namespace: string, name: string, place: Place }} workload
 * @param {PodFate[]} pods created from it
 * @param {{ notChecked?: string, replicas?: number }} [options] the reason if it was not checked;
 *   the number of its replicas, if not all were created
 * @returns {WorkloadVerdict}
 */
export function verdictOf(workload, pods, { notChecked, replicas = pods.length } = {}) {
  const { kind, namespace, name, place } = workload;
  const identity = { kind, namespace, name };
  if (notChecked !== undefined) {
    const messages = [{ message: notChecked, pods: replicas }];
    const counts = { replicas, placed: 0 };
    const lists = { messages, waiting: [], evicts: [] };
    return { ...identity, result: 'NotChecked', ...counts, ...lists, place };
  }
  const left = pods.filter((pod) => !isPlaced(pod));
  const own = new Set(pods.map(({ pod }) => pod));
  const evicts = pods.flatMap(({ evicted = [] }) => evicted).filter((pod) => !own.has(pod));
  const notes = pods.filter(isPlaced).flatMap(({ note }) => note ?? []);
  const unmade = replicas - pods.length;
  const reasons = [...left.map(reasonOf), ...Array(unmade).fill(NAME_TAKEN)];
  const messages = [...counted(reasons), ...counted(notes)];
  if (evicts.length > 0)
    messages.push({ message: `evicts ${evicts.join(', ')}`, pods: pods.length - left.length });
  return {
    ...identity,
    result:
      left.length + unmade > 0 ? 'DoesNotFit' : evicts.length > 0 ? 'FitsByPreemption' : 'Fits',
    replicas,
    placed: pods.length - left.length,
    messages,
    waiting: left.map(({ pod }) => pod),
    evicts,
    place,
  };
}

/**
 * Returns the verdict on a workload that would fit but whose rollout hangs.
 * @param {WorkloadVerdict} verdict
 * @param {{ pod: string, isOld: boolean, message: string, old: number } | undefined} rollout the
 *   waiting pod, whether that is an old one, why it has no node, and the number of old pods that
 *   still run
 * @returns {WorkloadVerdict}
 */
export function withRollout(verdict, rollout) {
  if (!rollout || verdict.result === 'DoesNotFit' || verdict.result === 'NotChecked')
    return verdict;
  const { pod, isOld, message, old } = rollout;
  const beside =
    old === 0 ? '' : ` while ${old} old ${old === 1 ? 'pod still runs' : 'pods still run'}`;
  const waits = isOld
    ? `old pod ${pod} finds no node, and is not replaced before it runs`
    : `pod ${pod} finds no node${beside}`;
  const reason = `the rollout hangs: ${waits}: ${message}`;
  return {
    ...verdict,
    result: 'RolloutWouldHang',
    messages: [{ message: reason, pods: 1 }],
    waiting: [pod],
  };
}

/**
 * Returns the verdict on a workload whose pods start together: it fits if all of its gangs start.
 * @param {WorkloadVerdict} verdict
 * @param {GangVerdict[]} gangs
 * @returns {WorkloadVerdict}
 */
export function withGangs(verdict, gangs) {
  if (gangs.length === 0) return verdict;
  const failed = gangs.filter(({ starts }) => !starts);
  const own = gangs.reduce((total, { pods }) => total + pods, 0);
  const others = verdict.messages.filter(({ message }) => message !== 'Unschedulable');
  const notes = notesOn([...new Set(gangs.flatMap(({ notModelled }) => notModelled))], own);
  const reasons = failed.map((gang) => ({ message: gangSentence(gang), pods: gang.pods }));
  const messages = [...reasons, ...others, ...notes];
  if (verdict.result === 'NotChecked') return { ...verdict, messages: [...others, ...notes] };
  const result =
    failed.length > 0 ? 'DoesNotFit' : verdict.evicts.length > 0 ? 'FitsByPreemption' : 'Fits';
  const nearest = failed[0]?.blocker?.nearest;
  return { ...verdict, result, messages, ...(nearest && { nearest }), gangs };
}

/**
 * Returns the verdict with what decides about the workload elsewhere, and not here.
 * @param {WorkloadVerdict} verdict
 * @param {string[]} notModelled
 * @returns {WorkloadVerdict}
 */
export function withNotModelled(verdict, notModelled) {
  const notes = notesOn(notModelled, verdict.replicas);
  return { ...verdict, messages: [...verdict.messages, ...notes] };
}

/**
 * @param {string[]} notModelled
 * @param {number} pods that it concerns
 */
function notesOn(notModelled, pods) {
  const message = `Not modelled: ${notModelled.join(', ')}.`;
  return notModelled.length > 0 ? [{ message, pods }] : [];
}

/** @param {GangVerdict} gang one that does not start */
function gangSentence(gang) {
  const which = gang.name === '' ? 'as a gang' : `as a gang (${gang.name})`;
  const further = [domainText(gang), orderText(gang)].filter(Boolean);
  const sentence = [gang.message.replace(/\.$/, ''), ...further].join('; ');
  return `${which}: ${sentence}.`;
}

/** @param {GangVerdict} gang */
function domainText({ topologyKey, nearestDomain, pods }) {
  if (topologyKey === undefined) return '';
  if (!nearestDomain) return `no node has the label ${topologyKey}`;
  const { domain, pods: taken } = nearestDomain;
  return `the nearest domain ${topologyKey}=${domain} takes ${taken} of ${pods}`;
}

/** @param {GangVerdict} gang */
function orderText({ order }) {
  return order?.helps ? `it starts if pods are placed in the order ${order.pods.join(', ')}` : '';
}

/**
 * @param {WorkloadVerdict[]} workloads
 * @param {{ kubernetesVersion: string }} scheduler
 * @param {{ warnings?: string[], problems?: BadInput[] }} [input] the faults of the input
 * @returns {CheckReport}
 */
export function reportOf(workloads, { kubernetesVersion }, { warnings = [], problems = [] } = {}) {
  const count = (/** @type {WorkloadResult} */ result) =>
    workloads.filter((workload) => workload.result === result).length;
  const sum = (/** @type {'replicas' | 'placed'} */ field) =>
    workloads.reduce((total, workload) => total + workload[field], 0);
  const [doNotFit, wouldHang] = [count('DoesNotFit'), count('RolloutWouldHang')];
  return {
    apiVersion: 'stowage/v1',
    kind: 'Check',
    kubernetesVersion,
    fits: doNotFit + wouldHang === 0 && problems.length === 0,
    summary: {
      workloads: workloads.length,
      fit: count('Fits') + count('FitsByPreemption'),
      wouldHang,
      doNotFit,
      notChecked: count('NotChecked'),
      replicas: sum('replicas'),
      placed: sum('placed'),
    },
    workloads,
    warnings,
    problems,
  };
}

/**
 * `Deployment shop/web`
 * @param {WorkloadVerdict} workload
 */
export function titleOf({ kind, namespace, name }) {
  return `${kind} ${namespace}/${name}`;
}

/**
 * Returns one line about a workload; empty if it fits.
 * @param {WorkloadVerdict} workload
 * @returns {string}
 */
export function sentenceOf(workload) {
  const { result, replicas, placed, messages } = workload;
  const reasons = messages.map(({ message, pods }) =>
    messages.length > 1 ? `${message} (${pods} of ${replicas})` : message,
  );
  const reason = joined([...reasons, waitingText(workload)]);
  if (result !== 'DoesNotFit' || replicas === 1) return reason;
  return `${placed} of ${replicas} replicas fit: ${reason}`;
}

/**
 * Returns sentences as one text; a sentence that another one follows ends with a period.
 * @param {string[]} sentences
 * @returns {string}
 */
export function joined(sentences) {
  const all = sentences.filter(Boolean);
  const isOpen = (/** @type {string} */ text) => !/[.)]$/.test(text);
  const last = all.length - 1;
  return all.map((text, at) => (at < last && isOpen(text) ? `${text}.` : text)).join(' ');
}

/**
 * Names the first waiting pods of a workload, if others have a node, the requests for devices that
 * no node can serve, and the nearest node.
 * @param {WorkloadVerdict} workload
 * @returns {string}
 */
export function waitingText({ result, replicas, waiting, nearest, unserved = [] }) {
  const hints = [...unserved, ...(nearest === undefined ? [] : [`Nearest node ${nearest}.`])];
  const hint = hints.join(' ');
  if (result !== 'DoesNotFit' || waiting.length === 0 || replicas === 1) return hint;
  const more = waiting.length - MOST_NAMED;
  const shown = waiting.slice(0, MOST_NAMED).join(', ');
  const names = `Waiting: ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
  return [names, hint].filter(Boolean).join(' ');
}

/** @param {PodFate} pod */
function isPlaced({ result, waitsForVolumes }) {
  return result === 'Scheduled' && !waitsForVolumes;
}

/** @param {PodFate} pod */
function reasonOf({ result, message, waitsForVolumes }) {
  if (waitsForVolumes) return 'has a node and waits for its volumes';
  return message || result;
}

/** @param {string[]} texts */
function counted(texts) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const messages = [...counts].map(([message, pods]) => ({ message, pods }));
  return messages.sort((a, b) => b.pods - a.pods);
}
