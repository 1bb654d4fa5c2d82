/**
 * The cluster of a golden file. Every change returns the watch events that an engine needs to
 * follow it. The engine's own answers do not change it.
 */

/** @typedef {{type: 'ADDED' | 'MODIFIED' | 'DELETED', object: any}} WatchEvent */

const DELETION_TIMESTAMP = '2026-03-01T12:00:00Z';
const DISRUPTION_TARGET = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'PreemptionByScheduler',
};

export class Cluster {
  /** @type {Map<string, any>} */
  #objects = new Map();

  /**
   * Creates or replaces objects.
   * @param {any[]} objects
   * @returns {WatchEvent[]}
   */
  apply(objects) {
    return objects.map((object) => {
      const key = keyOf(object.kind, object.metadata.namespace, object.metadata.name);
      const type = this.#objects.has(key) ? 'MODIFIED' : 'ADDED';
      this.#objects.set(key, object);
      return { type, object };
    });
  }

  /**
   * @param {{kind: string, namespace: string, name: string}[]} references
   * @returns {WatchEvent[]}
   */
  delete(references) {
    return references.map(({ kind, namespace, name }) => {
      const key = keyOf(kind, namespace, name);
      const object = this.#objects.get(key);
      if (!object) throw new Error(`the file deletes ${key}, which is not there`);
      this.#objects.delete(key);
      return { type: 'DELETED', object };
    });
  }

  /** @param {string} reference  namespace/name */
  pod(reference) {
    const pod = this.#objects.get(`Pod/${reference}`);
    if (!pod) throw new Error(`the file names pod ${reference}, which is not there`);
    return pod;
  }

  /**
   * The first pod of a group without a node, as namespace/name.
   * @param {{namespace: string, name: string}} group
   */
  pendingOfGroup({ namespace, name }) {
    for (const { kind, metadata, spec } of this.#objects.values()) {
      const member = kind === 'Pod' && spec.schedulingGroup?.podGroupName === name;
      if (member && metadata.namespace === namespace && !spec.nodeName)
        return podName({ metadata });
    }
    throw new Error(`the file schedules group ${name}, which has no pending pod`);
  }

  /**
   * Sets or clears the nomination of a pod.
   * @param {string} reference  namespace/name
   * @param {string | undefined} node
   */
  nominate(reference, node) {
    return this.#change(reference, (pod) => setNomination(pod, node));
  }

  /**
   * Brings the cluster into the state that the file prescribes after an attempt.
   * @param {string} reference  the pod that was tried, namespace/name
   * @param {any} expect
   * @returns {WatchEvent[]}
   */
  settle(reference, expect) {
    if (expect.result === 'gated') return [];
    if (expect.result === 'scheduled') {
      return [
        ...this.#change(reference, (pod) => bind(pod, expect)),
        ...this.apply(expect.after ?? []),
      ];
    }
    const { deletedPods = [], terminatingPods = [], clearedNominations = [] } = expect;
    // Victims are evicted in the reference's order, because the order changes the order of the
    // remaining pods, and so which of equal victims comes first the next time.
    const victims = expect.preemption?.victims ?? [];
    const evicted = (/** @type {string[]} */ names) =>
      [...names].sort((a, b) => victims.indexOf(a) - victims.indexOf(b));
    return [
      ...this.#change(reference, (pod) => nominate(pod, expect)),
      ...clearedNominations.flatMap((/** @type {string} */ name) =>
        this.#change(name, (pod) => setNomination(pod, undefined)),
      ),
      ...this.delete(evicted(deletedPods).map(podReference)),
      ...evicted(terminatingPods).flatMap((/** @type {string} */ name) =>
        this.#change(name, terminate),
      ),
      ...this.apply(expect.after ?? []),
    ];
  }

  /**
   * @param {string} reference
   * @param {(pod: any) => any} change returns the same pod if nothing changes
   */
  #change(reference, change) {
    const before = this.pod(reference);
    const after = change(before);
    return after === before ? [] : this.apply([after]);
  }
}

/** @param {any} pod */
export function podName(pod) {
  return `${pod.metadata.namespace}/${pod.metadata.name}`;
}

/** @param {any} pod @param {any} expect */
function bind(pod, { node, startTime }) {
  const { nominatedNodeName, ...status } = pod.status ?? {};
  return {
    ...pod,
    spec: { ...pod.spec, nodeName: node },
    status: { ...status, phase: 'Running', ...(startTime && { startTime }) },
  };
}

/** @param {any} pod @param {any} expect */
function nominate(pod, { result, preemption }) {
  const nomination = result === 'error' ? 'clear' : preemption?.nomination;
  if (nomination === 'set') return setNomination(pod, preemption.nominatedNode);
  return nomination === 'clear' ? setNomination(pod, undefined) : pod;
}

/** @param {any} pod @param {string | undefined} node */
function setNomination(pod, node) {
  const { nominatedNodeName, ...status } = pod.status ?? {};
  if (nominatedNodeName === node) return pod;
  return { ...pod, status: node ? { ...status, nominatedNodeName: node } : status };
}

/** @param {any} pod */
function terminate(pod) {
  const conditions = [...(pod.status?.conditions ?? []), DISRUPTION_TARGET];
  return {
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp: DELETION_TIMESTAMP },
    status: { ...pod.status, conditions },
  };
}

/** @param {string} reference */
function podReference(reference) {
  const [namespace, name] = reference.split('/');
  return { kind: 'Pod', namespace, name };
}

/** @param {string} kind @param {string | undefined} namespace @param {string} name */
function keyOf(kind, namespace, name) {
  return `${kind}/${namespace || ''}/${name}`;
}
