/** The changes of the pod groups in a seed's world. */

/** @typedef {import('./random.js').Random} Random */

/** The weights of the changes in seeds with gangs, besides those in all seeds. */
export const GANG_WEIGHTS = { putGroup: 8, deleteGroup: 1, createMembers: 12, loseNodes: 2 };

/** @typedef {keyof typeof GANG_WEIGHTS} GangOp */

/** @param {string} op @returns {op is GangOp} */
export const isGangOp = (op) => op in GANG_WEIGHTS;

const GROUPS = 6;
const NAMESPACE = 'default';
const MEMBERS_MAX = 4;
const MIN_COUNT_MAX = 5;
/** Of a group and its pods, by the number of the group. */
const PRIORITIES = [0, 0, 0, 10, 100, 100];
const AMOUNTS = ['200m', '500m', '1'];

export class GangPlanner {
  #random;
  #newPod;
  #made = 0;

  /** @param {Random} random @param {() => any} newPod makes a pod of any kind */
  constructor(random, newPod) {
    this.#random = random;
    this.#newPod = newPod;
  }

  /** @param {GangOp} op @returns {Record<string, any>} */
  details(op) {
    const number = this.#random.below(GROUPS);
    const name = `g${number}`;
    if (op === 'putGroup') return { object: this.#group(name, PRIORITIES[number]) };
    if (op === 'createMembers') return { pods: this.#members(name, PRIORITIES[number]) };
    return { group: `${NAMESPACE}/${name}` };
  }

  /** @param {string} name @param {number} priority */
  #group(name, priority) {
    const random = this.#random;
    this.#made += 1;
    const minCount = 1 + random.below(MIN_COUNT_MAX);
    return {
      apiVersion: 'scheduling.k8s.io/v1alpha2',
      kind: 'PodGroup',
      metadata: { namespace: NAMESPACE, name, uid: `u${this.#made}-${name}`, generation: 1 },
      spec: {
        schedulingPolicy: random.chance(0.9) ? { gang: { minCount } } : { basic: {} },
        disruptionMode: random.pick(['Pod', 'PodGroup']),
        priority,
      },
    };
  }

  /**
   * Most differ from each other in nothing that decides.
   * @param {string} group @param {number} priority
   */
  #members(group, priority) {
    const random = this.#random;
    const count = 1 + random.below(MEMBERS_MAX);
    const requests = { cpu: random.pick(AMOUNTS) };
    const simple = {
      schedulerName: 'default-scheduler',
      containers: [{ name: 'c', resources: { requests } }],
    };
    return Array.from({ length: count }, () => {
      const pod = this.#newPod();
      const { nodeName: _, ...spec } = random.chance(0.1) ? pod.spec : simple;
      return {
        ...pod,
        metadata: { ...pod.metadata, namespace: NAMESPACE },
        spec: { ...spec, priority, schedulingGroup: { podGroupName: group } },
      };
    });
  }
}
