import { PriorityClasses, StorageClasses } from '../classes.js';
import { withDefaults } from '../defaults.js';
import { podAdmission } from '../embedded_apiserver/admission/pod_admission.js';
import { InputError } from '../errors.js';
import { hashSuffix } from '../hash.js';
import { isRecord, itemsIn } from '../values.js';
import { claimsFor, withClaims } from './claims.js';
import { pinnedTo, targetNodeOf, withDaemonTolerations } from './daemon_pods.js';
import { runsOn } from './node_match.js';
import { inheritPosition } from './positions.js';
import { checkShapes, fieldError } from './shapes.js';

/** @import { ExpandContext, KubernetesObject } from '../types.js' */

/** Conditions after which a Job makes no more pods. */
const JOB_ENDS = new Set(['Complete', 'Failed', 'SuccessCriteriaMet', 'FailureTarget']);

/** How many pods one workload may have: more than the largest clusters hold. */
const MOST_PODS = 200_000;

/** The largest number of an int32, as Kubernetes' counts are. */
const INT32_MAX = 2 ** 31 - 1;

/**
 * The pods among what `expand` gives.
 * @param {KubernetesObject} object
 * @param {ExpandContext} [context]
 * @returns {KubernetesObject[]}
 * @throws {InputError} as `expand` does
 */
export function podsOf(object, context = {}) {
  return expand(object, context).filter(({ kind }) => kind === 'Pod');
}

/**
 * What an object needs to run, complete as the API server would have stored it: a Pod itself; of a
 * Deployment, ReplicaSet, ReplicationController, StatefulSet, DaemonSet or Job the pods that its
 * controllers would still create, with their ReplicaSet and the claims of their templates. Other
 * kinds have nothing.
 *
 * Names depend on the input alone: `web-<hash of the template>-0`, `-1`… for a Deployment,
 * `agent-<node>` for a DaemonSet, `db-0`, `db-1`… for the others; numbers that are taken are passed
 * over.
 * @param {KubernetesObject} object
 * @param {ExpandContext} [context] `existing`: what is in the cluster already; pods that the
 *   workload owns there count against its replicas. `nodes`: for DaemonSets, one pod for each node
 *   that suits
 * @returns {KubernetesObject[]}
 * @throws {InputError} when the workload has no name or template, a field of another type, or a
 *   count that is none, or its pods a PriorityClass that is not among `priorityClasses`
 * @throws {import('../api_error.js').ApiError} Forbidden, when admission refuses its pods
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
 * Expansion knows what is there already, and makes what the controllers of workloads would add: one
 * for all workloads of a cluster, so that no two of their pods share a name.
 */
export class Expansion {
  #admit;
  #context;
  #nodes;
  /** Objects by the uid of their controller. @type {Map<string, KubernetesObject[]>} */
  #owned = new Map();
  /** Pods of ReplicaSets by the name of the set. @type {Map<string, KubernetesObject[]>} */
  #ofReplicaSet = new Map();
  #names = new Set();
  #claims = new Set();

  /** @param {ExpandContext} context */
  constructor(context) {
    this.#context = {
      ...context,
      priorityClasses: new PriorityClasses(context.priorityClasses),
      storageClasses: new StorageClasses(context.storageClasses),
    };
    this.#admit = podAdmission(admissionLists(context));
    this.#nodes = [...(context.nodes ?? [])].filter((node) => node?.metadata?.name);
    for (const object of context.existing ?? []) if (isRecord(object)) this.#remember(object);
  }

  /**
   * What has to be added for one workload: ReplicaSets, claims and pods.
   * @param {KubernetesObject} object
   * @returns {KubernetesObject[]}
   * @throws {InputError}
   */
  of(object) {
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

  /** @param {KubernetesObject} object */
  #remember(object) {
    const controller = controllerOf(object);
    if (controller?.uid) push(this.#owned, controller.uid, object);
    const { namespace = 'default', name } = object.metadata ?? {};
    if (object.kind === 'PersistentVolumeClaim') this.#claims.add(`${namespace}/${name}`);
    if (object.kind !== 'Pod') return;
    this.#names.add(`${namespace}/${name}`);
    if (controller?.kind === 'ReplicaSet')
      push(this.#ofReplicaSet, `${namespace}/${controller.name}`, object);
  }

  /** @param {KubernetesObject} workload */
  #stored(workload) {
    checkShapes(workload);
    const stored = withDefaults(workload, this.#context);
    if (stored !== workload) inheritPosition(stored, workload);
    return stored;
  }

  /** @param {string} uid */
  #ownedPods(uid) {
    return (this.#owned.get(uid) ?? []).filter(({ kind }) => kind === 'Pod');
  }

  /**
   * Where the dump has the Deployment's ReplicaSets, they speak for themselves; where it has only
   * their pods, these name the set.
   * @param {KubernetesObject} deployment
   */
  #deployment(deployment) {
    const { uid, name, namespace } = deployment.metadata;
    if (this.#owned.get(uid)?.some(({ kind }) => kind === 'ReplicaSet')) return [];
    const known = this.#podsOfAbsentSet(namespace, name);
    const hash =
      known?.metadata.labels['pod-template-hash'] ??
      hashSuffix(JSON.stringify(deployment.spec.template), 9);
    const set = withDefaults(replicaSetOf(deployment, hash), this.#context);
    inheritPosition(set, deployment);
    if (known) set.metadata.uid = controllerOf(known)?.uid;
    const pods = this.#replicas(set, deployment);
    return known || countOf(deployment, 'replicas', 1) === 0 ? pods : [set, ...pods];
  }

  /**
   * A pod of a ReplicaSet that is not in the dump, but must be this Deployment's by its name.
   * @param {string} namespace
   * @param {string} name of the Deployment
   */
  #podsOfAbsentSet(namespace, name) {
    for (const pods of this.#ofReplicaSet.values()) {
      const hash = pods[0].metadata.labels?.['pod-template-hash'];
      const fits =
        pods[0].metadata.namespace === namespace &&
        controllerOf(pods[0])?.name === `${name}-${hash}`;
      if (hash && fits) return pods[0];
    }
    return undefined;
  }

  /**
   * @param {KubernetesObject} set
   * @param {KubernetesObject} source the object that the user wrote
   */
  #replicas(set, source) {
    const active = this.#ownedPods(set.metadata.uid).filter(isActive).length;
    const missing = countOf(set, 'replicas', 1) - active;
    return this.#freeNames(set, missing).map(({ name }) => this.#pod(set, source, { name }));
  }

  /** @param {KubernetesObject} set */
  #statefulSet(set) {
    const { name } = set.metadata;
    const first = wholeNumber(set, 'spec.ordinals.start', set.spec.ordinals?.start ?? 0, INT32_MAX);
    const ordinals = Array.from(
      { length: countOf(set, 'replicas', 1) },
      (_, index) => first + index,
    );
    const free = ordinals.filter((ordinal) => !this.#isTaken(set, `${name}-${ordinal}`));
    return free.flatMap((ordinal) => {
      const podName = `${name}-${ordinal}`;
      const labels = {
        'statefulset.kubernetes.io/pod-name': podName,
        'apps.kubernetes.io/pod-index': String(ordinal),
      };
      const change = (/** @type {any} */ spec) => withClaims(spec, set, podName);
      return [
        ...this.#claimsOf(set, podName),
        this.#pod(set, set, { name: podName, labels, change }),
      ];
    });
  }

  /**
   * Those that are not there yet.
   * @param {KubernetesObject} set
   * @param {string} pod
   */
  #claimsOf(set, pod) {
    return claimsFor(set, pod).flatMap((claim, index) => {
      const key = `${claim.metadata.namespace}/${claim.metadata.name}`;
      if (this.#claims.has(key)) return [];
      this.#claims.add(key);
      const stored = withDefaults(claim, this.#context);
      inheritPosition(stored, set, ['spec', 'volumeClaimTemplates', index]);
      return [stored];
    });
  }

  /** @param {KubernetesObject} set */
  #daemonSet(set) {
    const { template } = set.spec;
    const { tolerations } = withDaemonTolerations(template.spec);
    const served = new Set(
      this.#ownedPods(set.metadata.uid)
        .filter((pod) => !isFinished(pod))
        .map(targetNodeOf),
    );
    const nodes = this.#nodes.filter((node) => runsOn({ ...template.spec, tolerations }, node));
    const missing = nodes.map((node) => node.metadata.name).filter((name) => !served.has(name));
    return missing.map((node) => {
      const change = (/** @type {any} */ spec) => ({
        ...spec,
        tolerations,
        affinity: pinnedTo(spec.affinity, node),
      });
      const name = `${set.metadata.name}-${node}`;
      return this.#pod(set, set, {
        name: this.#isTaken(set, name) ? this.#freeNames(set, 1, name)[0].name : name,
        change,
      });
    });
  }

  /** @param {KubernetesObject} job */
  #job(job) {
    if (
      job.spec.suspend ||
      job.status?.conditions?.some(
        (/** @type {any} */ it) => JOB_ENDS.has(it.type) && it.status === 'True',
      )
    )
      return [];
    const owned = this.#ownedPods(job.metadata.uid);
    const finished = owned.filter((pod) => pod.status?.phase === 'Succeeded').length;
    const told = job.status?.succeeded ?? finished;
    const succeeded = wholeNumber(job, 'status.succeeded', told, INT32_MAX);
    const parallelism = countOf(job, 'parallelism', 1);
    const left =
      job.spec.completions == null
        ? parallelism * Number(succeeded === 0)
        : countOf(job, 'completions', 1) - succeeded;
    const missing = Math.min(parallelism, left) - owned.filter(isActive).length;
    const { name, uid } = job.metadata;
    const labels = {
      'batch.kubernetes.io/job-name': name,
      'job-name': name,
      'batch.kubernetes.io/controller-uid': uid,
      'controller-uid': uid,
    };
    if (job.spec.completionMode !== 'Indexed') {
      return this.#freeNames(job, missing).map((free) =>
        this.#pod(job, job, { name: free.name, labels }),
      );
    }
    const done = new Set(
      owned
        .filter((pod) => isActive(pod) || pod.status?.phase === 'Succeeded')
        .map(completionIndexOf),
    );
    return this.#freeNames(job, missing, name, (number) => !done.has(String(number))).map(
      (free) => {
        const index = { 'batch.kubernetes.io/job-completion-index': String(free.number) };
        return this.#pod(job, job, {
          name: free.name,
          labels: { ...labels, ...index },
          annotations: index,
        });
      },
    );
  }

  /**
   * The first numbered names that no pod has yet.
   * @param {KubernetesObject} owner
   * @param {number} count how many; below 0 is none
   * @param {string} [base]
   * @param {(number: number) => boolean} [isFree] what else a number must satisfy
   */
  #freeNames(owner, count, base = owner.metadata.name, isFree = () => true) {
    /** @type {{ name: string, number: number }[]} */
    const free = [];
    const bound = count + this.#names.size;
    for (let number = 0; free.length < count && number <= bound; number++) {
      const name = `${base}-${number}`;
      if (isFree(number) && !this.#isTaken(owner, name)) free.push({ name, number });
    }
    return free;
  }

  /**
   * @param {KubernetesObject} owner
   * @param {string} name
   */
  #isTaken(owner, name) {
    return this.#names.has(`${owner.metadata.namespace}/${name}`);
  }

  /**
   * @param {KubernetesObject} owner
   * @param {KubernetesObject} source
   * @param {{ name: string, labels?: Record<string, string>, annotations?: Record<string, string>,
   *   change?: (spec: any) => any }} own
   * @returns {KubernetesObject}
   */
  #pod(owner, source, { name, labels = {}, annotations = {}, change = (spec) => spec }) {
    const { namespace } = owner.metadata;
    this.#names.add(`${namespace}/${name}`);
    const { metadata = {}, spec } = owner.spec.template;
    const written = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...metadata,
        name,
        namespace,
        labels: { ...metadata.labels, ...labels },
        annotations: { ...metadata.annotations, ...annotations },
        ownerReferences: [referenceTo(owner)],
      },
      spec: change(spec),
    };
    const pod = this.#admit(withDefaults(written, this.#context));
    inheritPosition(pod, source, ['spec', 'template']);
    return pod;
  }
}

/**
 * The PriorityClasses are absent: the defaults of a pod look them up.
 * @param {ExpandContext} context
 */
function admissionLists({ limitRanges, runtimeClasses }) {
  return { limitRanges, runtimeClasses };
}

/**
 * @param {KubernetesObject} deployment
 * @param {string} hash
 */
function replicaSetOf(deployment, hash) {
  const { name, namespace } = deployment.metadata;
  const { template, selector } = deployment.spec;
  const label = { 'pod-template-hash': hash };
  const labels = { ...template.metadata?.labels, ...label };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      ownerReferences: [referenceTo(deployment)],
    },
    spec: {
      replicas: countOf(deployment, 'replicas', 1),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...label } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** @param {KubernetesObject} pod */
function completionIndexOf(pod) {
  const key = 'batch.kubernetes.io/job-completion-index';
  return pod.metadata.annotations?.[key] ?? pod.metadata.labels?.[key];
}

/** @param {KubernetesObject} object @returns {any} */
function controllerOf(object) {
  return itemsIn(object.metadata?.ownerReferences).find((owner) => owner?.controller);
}

/** @param {KubernetesObject} owner */
function referenceTo({ apiVersion, kind, metadata }) {
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** @param {KubernetesObject} pod */
function isFinished(pod) {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** @param {KubernetesObject} pod */
function isActive(pod) {
  return !isFinished(pod) && !pod.metadata.deletionTimestamp;
}

/**
 * A count in a workload's spec.
 * @param {KubernetesObject} object
 * @param {string} field
 * @param {number} missing what an absent one means
 */
function countOf(object, field, missing) {
  return wholeNumber(object, `spec.${field}`, object.spec[field] ?? missing, MOST_PODS);
}

/**
 * @param {KubernetesObject} object
 * @param {string} field
 * @param {any} value
 * @param {number} most
 * @returns {number}
 */
function wholeNumber(object, field, value, most) {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  const detail = `a whole number from 0 to ${most} is expected, not ${JSON.stringify(value)}`;
  throw fieldError(object, field, 'FieldValueInvalid', detail);
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
