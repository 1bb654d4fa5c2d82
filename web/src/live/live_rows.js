/**
 * Events of a live cluster as rows of a list: changes that were observed, and the cluster's Events.
 */

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Observation, ObservedObjects } from './observed_objects.js'
 */

/**
 * `Event` is one of the cluster's own Events; the others are changes that this page observed.
 * @typedef {object} LiveRow
 * @property {string} at in ISO 8601: an Event's own time, or when the change was observed
 * @property {'Event' | 'Pod' | 'Node' | 'Fault'} kind
 * @property {string} text
 * @property {boolean} isWarning
 * @property {string} [pod] `namespace/name` of the pod that it is about
 * @property {string} [node]
 */

/**
 * The parts of a node whose changes make a row.
 * @typedef {{ isCordoned: boolean, taints: string, size: string }} Seen
 */

/** The kinds whose Events are shown. */
const TOLD_OF = ['Pod', 'Node'];

export class LiveRows {
  #now;
  #onRow;
  /** The node of each pod, by pod key. @type {Map<string, string>} */
  #nodeOfPod = new Map();
  /** @type {Map<string, Seen>} */
  #nodes = new Map();

  /**
   * @param {ObservedObjects} observed
   * @param {{ now: () => number, onRow: (row: LiveRow) => void }} parts
   */
  constructor(observed, { now, onRow }) {
    this.#now = now;
    this.#onRow = onRow;
    observed.subscribe('pods', (observation) => this.#seePod(observation));
    observed.subscribe('nodes', (observation) => this.#seeNode(observation));
    observed.subscribe('events', ({ type, object }) => {
      if (type !== 'DELETED') this.#seeEvent(object);
    });
  }

  /** @param {string} text names what is not followed */
  fault(text) {
    this.#onRow({ at: isoTime(this.#now()), kind: 'Fault', text, isWarning: true });
  }

  /** @param {Observation} observation */
  #seePod({ type, object, isFirst }) {
    const { metadata, spec } = object;
    const pod = `${metadata.namespace}/${metadata.name}`;
    const before = this.#nodeOfPod.get(pod);
    if (type === 'DELETED') {
      this.#nodeOfPod.delete(pod);
      // The watch excludes finished pods, so a pod that finished looks like one that was deleted.
      this.#tell('Pod', { pod, ...(before && { node: before }) }, 'is gone');
      return;
    }
    const node = spec.nodeName ?? '';
    this.#nodeOfPod.set(pod, node);
    if (isFirst || node === before) return;
    const about = { pod, ...(node && { node }) };
    if (before === undefined) this.#tell('Pod', about, node ? `created on ${node}` : 'created');
    else this.#tell('Pod', about, `bound to ${node}`);
  }

  /** @param {Observation} observation */
  #seeNode({ type, object, isFirst }) {
    const node = object.metadata.name;
    const before = this.#nodes.get(node);
    if (type === 'DELETED') {
      this.#nodes.delete(node);
      this.#tell('Node', { node }, 'is gone');
      return;
    }
    const seen = seenOf(object);
    this.#nodes.set(node, seen);
    if (isFirst) return;
    if (!before) this.#tell('Node', { node }, 'has come');
    else for (const text of changesOf(before, seen)) this.#tell('Node', { node }, text);
  }

  /** @param {KubernetesObject} event */
  #seeEvent(event) {
    const { involvedObject: { kind, namespace, name } = {}, type, reason, message } = event;
    if (!TOLD_OF.includes(kind)) return;
    const at = event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp;
    this.#onRow({
      at: isoTime(Date.parse(at)),
      kind: 'Event',
      text: [reason, message].filter(Boolean).join(': '),
      isWarning: type === 'Warning',
      ...(kind === 'Pod' ? { pod: `${namespace}/${name}` } : { node: name }),
    });
  }

  /**
   * @param {'Pod' | 'Node'} kind
   * @param {{ pod?: string, node?: string }} about
   * @param {string} text
   */
  #tell(kind, about, text) {
    this.#onRow({ at: isoTime(this.#now()), kind, text, isWarning: false, ...about });
  }
}

/** @param {KubernetesObject} node @returns {Seen} */
function seenOf({ spec, status }) {
  const taints = /** @type {{ key: string, value?: string, effect: string }[]} */ (
    spec?.taints ?? []
  );
  return {
    isCordoned: spec?.unschedulable === true,
    taints: taints
      .map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`)
      .join(', '),
    size: Object.entries(status?.allocatable ?? {})
      .map(([name, amount]) => `${amount} ${name}`)
      .join(', '),
  };
}

/**
 * @param {Seen} before
 * @param {Seen} now
 */
function* changesOf(before, now) {
  if (now.isCordoned !== before.isCordoned) yield now.isCordoned ? 'cordoned' : 'uncordoned';
  if (now.taints !== before.taints) yield now.taints ? `has taints ${now.taints}` : 'has no taints';
  if (now.size !== before.size) yield `has ${now.size}`;
}

/** @param {number} time milliseconds since the epoch */
function isoTime(time) {
  return new Date(time).toISOString();
}
