import { keyOf } from '../kubernetes/keys.js';
import { PriorityClasses, StorageClasses } from '../kubernetes/default_classes.js';
import { withDefaults } from '../kubernetes/defaults.js';
import { podAdmission } from '../kubernetes/admission/pod_admission.js';
import { byCreation } from '../kubernetes/workloads/deployment_util.js';
import { InputError } from '../kubernetes/errors.js';
import { isWorkload } from '../kubernetes/kinds.js';
import { isRecord } from '../kubernetes/values.js';
import { claimsFor } from '../kubernetes/workloads/claims.js';
import { isPodActive, isPodFinished } from '../kubernetes/workloads/pods.js';
import { targetNodeOf, withDaemonTolerations } from '../kubernetes/workloads/daemon_pods.js';
import { absentSet, growingSet } from './deployment_sets.js';
import { countOf, INT32_MAX, wholeNumber } from './counts.js';
import { missingPods, parallelPodsOf } from './jobs.js';
import { FormerSets } from './stateful_sets.js';
import { isCurrentRevisionNeeded, startOf } from '../kubernetes/workloads/stateful_revisions.js';
import { runsOn } from '../kubernetes/node_match.js';
import { Existing } from '../kubernetes/existing.js';
import { controllerOf, identityOf } from '../kubernetes/owners.js';
import { inheritPosition } from './positions.js';
import { checkShapes } from './shapes.js';
import {
  daemonPod,
  jobPod,
  podFromTemplate,
  replicaSetFor,
  revisionHashOf,
  REVISION_LABEL,
  statefulPod,
  withTemplateGeneration,
} from '../kubernetes/workloads/template_pods.js';

/** @import { ExpandContext, KubernetesObject } from '../kubernetes/types.js' */

/**
 * Returns only the pods of `expand`.
 * @param {KubernetesObject} object
 * @param {ExpandContext} [context]
 * @returns {KubernetesObject[]}
 * @throws {InputError} as `expand` does
 */
export function podsOf(object, context = {}) {
  return expand(object, context).filter(({ kind }) => kind === 'Pod');
}

/**
 * Returns the objects that an object needs to run, complete as the API server would have stored
 * them: a Pod itself; for a Deployment, ReplicaSet, ReplicationController, StatefulSet, DaemonSet
 * or Job the pods that its controllers would still create, with their ReplicaSet and the claims of
 * their templates. Other kinds need none, nor do those of other API groups.
 *
 * Names depend on the input alone: `web-<hash of the template>-0`, `-1`… for a Deployment,
 * `agent-<node>` for a DaemonSet, `db-0`, `db-1`… for the others; numbers in use are skipped.
 * @param {KubernetesObject} object
 * @param {ExpandContext} [context] `existing`: objects that the cluster has already; the workload's
 *   own pods among them count against its replicas. `nodes`: for DaemonSets, one pod for each
 *   matching node
 * @returns {KubernetesObject[]}
 * @throws {InputError} if the workload has no name or template, a field of another type, or an
 *   invalid count, or its pods a PriorityClass that is not among `priorityClasses`
 * @throws {import('../kubernetes/api_error.js').ApiError} Forbidden, when admission refuses its
 *   pods
 */
export function expand(object, context = {}) {
  if (!isRecord(object)) throw notAnObject(object);
  if (object.kind === 'Pod') {
    const pod = withDefaults(object, context);
    return [pod === object ? pod : podAdmission(admissionLists(context))(pod)];
  }
  return new Expansion(context).of(object);
}

/**
 * Expansion knows the existing objects and creates those that the workloads' controllers would add.
 * One Expansion serves all workloads of a cluster, so that no two of their pods share a name.
 */
export class Expansion {
  #admit;
  #context;
  #nodes;
  #former;
  /** @type {KubernetesObject[]} */
  #given = [];
  /** Undefined until the first workload. @type {Existing | undefined} */
  #indexed;
  /** The uids of ReplicaSets whose pods were created. */
  #filled = new Set();

  /** What the input does not show about workloads, and is assumed. @type {Map<string, string>} */
  assumptions = new Map();

  /** The existing pods that controllers delete before they create others of the same names. */
  ended = /** @type {Set<KubernetesObject>} */ (new Set());

  /** @param {ExpandContext} context */
  constructor(context) {
    this.#context = {
      ...context,
      priorityClasses: new PriorityClasses(context.priorityClasses),
      storageClasses: new StorageClasses(context.storageClasses),
    };
    this.#admit = podAdmission(admissionLists(context));
    this.#nodes = context.nodes ?? [];
    if (context.existing instanceof Existing) this.#indexed = context.existing;
    else this.#given = [...(context.existing ?? [])];
    this.#former = new FormerSets(context.replaced ?? []);
  }

  /**
   * Returns the missing objects of one workload: ReplicaSets, claims and pods. For one that is
   * being deleted the controllers create nothing.
   * @param {KubernetesObject} object
   * @returns {KubernetesObject[]}
   * @throws {InputError}
   */
  of(object) {
    if (!isWorkload(object) || object.metadata?.deletionTimestamp) return [];
    switch (object.kind) {
      case 'Deployment':
        return this.#deployment(this.#stored(object));
      case 'ReplicaSet':
      case 'ReplicationController':
        return this.#replicas(this.#stored(object), object);
      case 'StatefulSet':
        return this.#statefulSet(this.#stored(object));
      case 'DaemonSet':
        return this.#daemonSet(this.#stored(object));
      case 'Job':
        return this.#job(this.#stored(object));
      default:
        return [];
    }
  }

  /**
   * Returns the number of pods that an object requests, including existing ones.
   * @param {KubernetesObject} object complete
   * @returns {number}
   * @throws {InputError}
   */
  replicasOf(object) {
    if (object.kind === 'Pod') return 1;
    if (!isWorkload(object)) return 0;
    switch (object.kind) {
      case 'Deployment':
      case 'ReplicaSet':
      case 'ReplicationController':
      case 'StatefulSet':
        return countOf(object, 'replicas', 1);
      case 'DaemonSet':
        return this.#nodesFor(object).length;
      case 'Job':
        return parallelPodsOf(object);
      default:
        return 0;
    }
  }

  /** What exists, indexed on first use. */
  get #existing() {
    return (this.#indexed ??= new Existing(this.#given));
  }

  /** @param {KubernetesObject} workload */
  #stored(workload) {
    checkShapes(workload);
    const { owners } = this.#existing;
    const stored = withDefaults(workload, this.#context);
    if (stored === workload) return workload;
    stored.metadata.uid = owners.uidOf(stored) ?? stored.metadata.uid;
    inheritPosition(stored, workload);
    return stored;
  }

  /** @param {string} uid */
  #ownedPods(uid) {
    return this.#existing.ownedBy(uid).filter(({ kind }) => kind === 'Pod');
  }

  /**
   * Without ReplicaSets, creates one with all pods; else adds the pods that the Deployment's own
   * set lacks to reach the Deployment's replicas. Pods that a set lacks to its own size are created
   * for that set.
   * @param {KubernetesObject} deployment
   */
  #deployment(deployment) {
    const sets = this.#setsOf(deployment);
    const replicas = countOf(deployment, 'replicas', 1);
    if (sets.known.length + sets.absent.length === 0) {
      const set = withDefaults(replicaSetFor(deployment, { replicas }), this.#context);
      inheritPosition(set, deployment);
      return replicas === 0 ? [] : [set, ...this.#replicas(set, deployment)];
    }
    const { set, size } = growingSet(deployment, sets);
    return this.#grow(set, size, deployment);
  }

  /**
   * Returns the ReplicaSets of a Deployment: the existing ones, and those that only their pods
   * refer to, with as many replicas as they have pods.
   * @param {KubernetesObject} deployment
   */
  #setsOf(deployment) {
    const owned = this.#existing.ownedBy(deployment.metadata.uid);
    /** @type {Map<string, KubernetesObject[]>} */
    const absent = new Map();
    for (const pod of this.#existing.podsOfAbsentSets(deployment))
      push(absent, controllerOf(pod)?.uid ?? '', pod);
    return {
      known: owned.filter(({ kind, spec }) => kind === 'ReplicaSet' && isRecord(spec?.template)),
      absent: [...absent.values()].map((pods) =>
        absentSet(deployment, pods, pods.filter(isPodActive).length),
      ),
    };
  }

  /**
   * Creates the pods of a ReplicaSet beyond its own size.
   * @param {KubernetesObject} set
   * @param {number} size
   * @param {KubernetesObject} source the object that the user wrote
   */
  #grow(set, size, source) {
    const { uid, deletionTimestamp } = set.metadata;
    if (deletionTimestamp) return [];
    const active = this.#ownedPods(uid).filter(isPodActive).length;
    const own = Math.max(active, countOf(set, 'replicas', 1));
    const before = this.#filled.has(uid) ? 0 : own - active;
    const names = this.#freeNames(set, before + Math.max(0, size - own)).slice(before);
    return names.map((name) => this.#replica(set, source, name));
  }

  /**
   * @param {KubernetesObject} set
   * @param {KubernetesObject} source the object that the user wrote
   */
  #replicas(set, source) {
    this.#filled.add(set.metadata.uid);
    const active = this.#ownedPods(set.metadata.uid).filter(isPodActive).length;
    const missing = countOf(set, 'replicas', 1) - active;
    return this.#freeNames(set, missing).map((name) => this.#replica(set, source, name));
  }

  /**
   * @param {KubernetesObject} set
   * @param {KubernetesObject} source the object that the user wrote
   * @param {string} name
   */
  #replica(set, source, name) {
    return this.#stamped(named(podFromTemplate(set.spec.template, set), name), source);
  }

  /** @param {KubernetesObject} set */
  #statefulSet(set) {
    const { name } = set.metadata;
    const first = wholeNumber(set, 'spec.ordinals.start', startOf(set), INT32_MAX);
    const ordinals = Array.from(
      { length: countOf(set, 'replicas', 1) },
      (_, index) => first + index,
    );
    const owned = this.#ownedPods(set.metadata.uid);
    const ended = new Set(owned.filter(isPodFinished));
    const free = ordinals.filter((ordinal) => {
      const present = this.#podNamed(set, `${name}-${ordinal}`);
      return !present || ended.has(present);
    });
    const { current, update } = this.#former.revisionsOf(
      set,
      this.#existing.ownedBy(set.metadata.uid),
    );
    /** @type {string[]} */
    const assumed = [];
    const made = free.flatMap((ordinal) => {
      const revision = isCurrentRevisionNeeded(set, ordinal) ? current : update;
      const { name: label, template, isAssumed } = revision;
      const pod = statefulPod(set, { template, revision: label, ordinal });
      if (isAssumed) assumed.push(pod.metadata.name);
      return [...this.#claimsOf(set, pod.metadata.name), this.#stamped(pod, set)];
    });
    if (assumed.length > 0)
      this.assumptions.set(identityOf(set), assumedTemplate(current.name, assumed));
    return made;
  }

  /**
   * Returns the revision label of a workload's newest pod.
   * @param {KubernetesObject} set
   * @returns {string | undefined}
   */
  #revisionLabelOf(set) {
    const newest = this.#ownedPods(set.metadata.uid).toSorted(byCreation).at(-1);
    return newest?.metadata.labels?.[REVISION_LABEL];
  }

  /**
   * Returns the missing claims.
   * @param {KubernetesObject} set
   * @param {string} pod
   */
  #claimsOf(set, pod) {
    return claimsFor(set, pod).flatMap((claim, index) => {
      const key = keyOf(claim);
      if (this.#existing.claims.has(key)) return [];
      this.#existing.claims.add(key);
      const stored = this.#admit(withDefaults(claim, this.#context));
      inheritPosition(stored, set, ['spec', 'volumeClaimTemplates', index]);
      return [stored];
    });
  }

  /** @param {KubernetesObject} set */
  #daemonSet(set) {
    const served = new Set(
      this.#ownedPods(set.metadata.uid)
        .filter((pod) => !isPodFinished(pod))
        .map(targetNodeOf),
    );
    const hash = this.#revisionLabelOf(set) ?? revisionHashOf(set);
    const stored = withTemplateGeneration(set);
    const missing = this.#nodesFor(set).filter((name) => !served.has(name));
    return missing.map((node) => {
      const name = this.#nameLike(set, `${set.metadata.name}-${node}`);
      return this.#stamped(named(daemonPod(stored, { hash, node }), name), set);
    });
  }

  /**
   * Returns the names of the nodes that should have a pod of a DaemonSet.
   * @param {KubernetesObject} set
   * @returns {string[]}
   */
  #nodesFor(set) {
    const spec = withDaemonTolerations(set.spec.template.spec);
    return [...this.#nodes]
      .filter((node) => node?.metadata?.name && runsOn(spec, node))
      .map(({ metadata }) => metadata.name);
  }

  /** @param {KubernetesObject} job */
  #job(job) {
    const { name, uid } = job.metadata;
    const indexes = missingPods(job, this.#ownedPods(uid));
    const unnumbered = indexes.filter((index) => index === undefined);
    const free = this.#freeNames(job, unnumbered.length);
    return indexes.map((index, at) => {
      const own = index === undefined ? free[at] : this.#nameLike(job, `${name}-${index}`);
      return this.#stamped(named(jobPod(job, index), own), job);
    });
  }

  /**
   * Returns a name, or one with a number after it if a pod has it.
   * @param {KubernetesObject} owner
   * @param {string} name
   */
  #nameLike(owner, name) {
    return this.#podNamed(owner, name) ? this.#freeNames(owner, 1, name)[0] : name;
  }

  /**
   * Returns the first numbered names that no pod has yet.
   * @param {KubernetesObject} owner
   * @param {number} count how many; below 0 counts as 0
   * @param {string} [base]
   */
  #freeNames(owner, count, base = owner.metadata.name) {
    /** @type {string[]} */
    const free = [];
    for (let number = 0; free.length < count; number++) {
      const name = `${base}-${number}`;
      if (!this.#podNamed(owner, name)) free.push(name);
    }
    return free;
  }

  /**
   * @param {KubernetesObject} owner
   * @param {string} name
   */
  #podNamed(owner, name) {
    return this.#existing.pods.get(`${owner.metadata.namespace}/${name}`);
  }

  /**
   * Returns a pod as the API server stores it; its positions point into its template.
   * @param {KubernetesObject} made
   * @param {KubernetesObject} source the object that the user wrote
   * @returns {KubernetesObject}
   */
  #stamped(made, source) {
    const { namespace, name } = made.metadata;
    const key = `${namespace}/${name}`;
    const former = this.#existing.pods.get(key);
    if (former) this.ended.add(former);
    this.#existing.pods.set(key, made);
    const pod = this.#admit(withDefaults(made, this.#context));
    inheritPosition(pod, source, ['spec', 'template']);
    return pod;
  }
}

/**
 * PriorityClasses are left out: the pod's defaults look them up.
 * @param {ExpandContext} context
 */
function admissionLists({ limitRanges, runtimeClasses }) {
  return { limitRanges, runtimeClasses };
}

/**
 * @param {KubernetesObject} pod
 * @param {string} name
 * @returns {KubernetesObject}
 */
function named(pod, name) {
  return { ...pod, metadata: { ...pod.metadata, name } };
}

/**
 * @param {string} revision
 * @param {string[]} pods
 */
function assumedTemplate(revision, pods) {
  const more = pods.length > 2 ? ` and ${pods.length - 2} more` : '';
  const some = `${pods.slice(0, 2).join(', ')}${more}`;
  return (
    `${some} below the partition are of the revision ${revision}, whose template the input ` +
    'does not show: the newest template is assumed'
  );
}

/** @param {unknown} value */
function notAnObject(value) {
  const detail = `an object is expected, not ${JSON.stringify(value)}`;
  return new InputError({ code: 'FieldValueTypeInvalid', detail });
}

/**
 * @template T
 * @param {Map<string, T[]>} lists
 * @param {string} key
 * @param {T} value
 */
function push(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
