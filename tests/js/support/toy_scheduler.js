/**
 * A toy of a scheduler, for the fake engine: cpu, cordons, schedulers' names, preemption by
 * priority, and claims, for which there is always a volume somewhere. With `api: 'host'` placements
 * go out as calls; a pod that could not be bound waits out a backoff of a second. Decisions are
 * chained by something like a hash.
 */
import { hashWords } from '../../../js/src/kubernetes/hash.js';

const KNOWN = new Set([
  'Pod',
  'Node',
  'Namespace',
  'Service',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
  'PodDisruptionBudget',
  'PersistentVolumeClaim',
]);

const BACKOFF_US = 1_000_000;

export class ToyScheduler {
  #options;
  #nodes = new Map();
  #pods = new Map();
  #arrival = 0;
  #seq = 0;
  #told = new Set();
  #commands = [];
  #tried = new Set();
  #hash = '0'.repeat(64);
  #calls = [];
  #lastCall = 0;
  /** By the number of the call. */
  #bindings = new Map();
  #ended = [];
  /** When a pod may be tried again, by its key. */
  #backoffs = new Map();
  /** Pods that are not bound, as nobody binds their claims. */
  #waiting = new Set();

  constructor(options, configuration) {
    this.#options = options;
    this.configuration = configuration;
    const profiles = (configuration && JSON.parse(configuration).profiles) || [{}];
    this.schedulerNames = new Set(
      profiles.map((profile) => profile.schedulerName ?? 'default-scheduler'),
    );
  }

  apply(text, format) {
    const result = { applied: 0, ignored: 0, errors: [], unknownKinds: [] };
    let items;
    try {
      const documents =
        format === 1
          ? text
              .split('\n')
              .filter(Boolean)
              .map((line) => JSON.parse(line))
          : [JSON.parse(text)];
      items = format === 1 ? documents : documents.flatMap((it) => flatten(it));
    } catch (error) {
      const { message } = error;
      return { ...result, errors: [{ class: 'InputError', code: 'MalformedJson', message }] };
    }
    items.forEach((item, index) => this.#applyItem(item, index, result));
    return result;
  }

  #applyItem(item, index, result) {
    if (item.type === 'SCHEDULE_ONE') {
      if (!this.#pods.has(item.pod))
        return result.errors.push({
          code: 'FieldValueInvalid',
          field: 'pod',
          value: item.pod,
          index,
        });
      return this.#commands.push(item.pod);
    }
    if (item.type === 'COMPLETION') {
      if (!Number.isInteger(item.call) || item.call < 1)
        return result.errors.push({ code: 'FieldValueInvalid', field: 'call', index });
      const isWanted = this.#bindings.has(item.call);
      if (isWanted) this.#ended.push(item);
      return isWanted ? (result.applied += 1) : (result.ignored += 1);
    }
    const isEvent = item.type && !item.kind;
    const object = isEvent ? item.object : item;
    const problem = problemOf(object);
    if (problem?.code === 'UnknownKind') return this.#unknown(object, result);
    if (problem)
      return result.errors.push({
        apiVersion: object.apiVersion,
        kind: object.kind,
        ...object.metadata,
        uid: undefined,
        ...problem,
        index,
      });
    result.applied += 1;
    const set = { Pod: this.#pods, Node: this.#nodes }[object.kind];
    const key =
      object.kind === 'Pod'
        ? `${object.metadata.namespace ?? 'default'}/${object.metadata.name}`
        : object.metadata.name;
    if (item.type === 'DELETED') return set?.delete(key);
    this.#tried.delete(key);
    return set?.set(key, { ...object, arrival: (this.#arrival += 1) });
  }

  #unknown(object, result) {
    const name = `${object.apiVersion}, Kind=${object.kind}`;
    result.ignored += 1;
    if (this.#told.has(name)) return;
    this.#told.add(name);
    result.unknownKinds.push(name);
  }

  run(nowUs, maxCycles) {
    const lines = this.#ended.splice(0).map((item) => this.#endBinding(item, nowUs));
    for (const [key, time] of this.#backoffs) if (time <= nowUs) this.#backoffs.delete(key);
    const queue = [...this.#commands.splice(0), ...this.#pending()];
    const now = queue.slice(0, maxCycles);
    for (const key of now) lines.push(...this.#decide(key, nowUs));
    const idle = now.length === queue.length;
    const nextDeadline = this.#backoffs.size > 0 ? Math.min(...this.#backoffs.values()) : null;
    const busy = this.#bindings.size > 0;
    const turn = { kind: 'Turn', nextDeadline, idle, waiting: false, busy };
    const text = [...lines, turn].map((line) => `${JSON.stringify(line)}\n`).join('');
    return this.#calls.splice(0).join('') + text;
  }

  #endBinding({ call, status, error }, nowUs) {
    const { key, node, decision } = this.#bindings.get(call);
    this.#bindings.delete(call);
    const pod = this.#pods.get(key);
    const isBound = status === 201;
    if (!isBound && pod) {
      delete pod.spec.nodeName;
      this.#tried.delete(key);
      this.#backoffs.set(key, nowUs + BACKOFF_US);
    }
    this.#seq += 1;
    return {
      kind: 'BindingResult',
      seq: this.#seq,
      at: microTime(nowUs),
      decision,
      pod: key,
      uid: pod?.metadata.uid ?? '',
      result: isBound ? 'bound' : 'bindFailed',
      node,
      ...(!isBound && { phase: 'Bind', code: 'Error', message: error ?? `status ${status}` }),
    };
  }

  #bind(key, node, nowUs) {
    const timeoutMs = this.#options.apiCallTimeout;
    this.#lastCall += 1;
    const body = JSON.stringify({ target: { name: node } });
    const call = {
      kind: 'Call',
      id: this.#lastCall,
      callKind: 'api',
      pod: key,
      verb: 'bind',
      method: 'POST',
      path: `/api/v1/namespaces/${key.replace('/', '/pods/')}/binding`,
      contentType: 'application/json',
      ...(timeoutMs && { timeoutMs, deadline: nowUs + timeoutMs * 1000 }),
      bodyBytes: body.length,
    };
    this.#bindings.set(this.#lastCall, { key, node, decision: this.#seq });
    this.#calls.push(`${JSON.stringify(call)}\n${body}`);
  }

  #pending() {
    const pods = [...this.#pods].filter(
      ([key, pod]) =>
        !pod.spec.nodeName &&
        !pod.metadata.deletionTimestamp &&
        !this.#tried.has(key) &&
        !this.#backoffs.has(key),
    );
    const mine = pods.filter(([, pod]) =>
      this.schedulerNames.has(pod.spec.schedulerName ?? 'default-scheduler'),
    );
    const rank = ([, pod]) => [
      -(pod.spec.priority ?? 0),
      Date.parse(pod.metadata.creationTimestamp ?? 0),
      pod.arrival,
    ];
    return mine.sort((a, b) => compare(rank(a), rank(b))).map(([key]) => key);
  }

  #decide(key, nowUs) {
    const pod = this.#pods.get(key);
    if (pod.metadata.name === 'crash')
      throw new Error('unreachable: CHECK failed at core/scheduler/scheduling_cycle.cc:42');
    this.#tried.add(key);
    const decision = this.#decision(key, pod, nowUs);
    if (decision.result === 'scheduled') {
      pod.spec = { ...pod.spec, nodeName: decision.node };
      if (this.#options.api === 'host') this.#bind(key, decision.node, nowUs);
      else if (decision.volumes && !this.#options.simulate.volumes) this.#waiting.add(key);
    }
    const { victims = [] } = decision.preemption ?? {};
    for (const victim of victims) this.#pods.delete(victim);
    return victims.length > 0 ? [decision, ...this.#decide(key, nowUs)] : [decision];
  }

  #decision(key, pod, nowUs) {
    const { verdicts, feasible, node } = this.#place(pod);
    const refused = verdicts.filter(({ reason }) => reason);
    const preemption = feasible.length === 0 ? this.#preempt(pod) : undefined;
    const counts = new Map();
    for (const { reason, plugin } of refused)
      counts.set(reason, { plugin, nodes: (counts.get(reason)?.nodes ?? 0) + 1 });
    const text = [...counts]
      .map(([reason, { nodes }]) => `${nodes} ${reason}`)
      .sort()
      .join(', ');
    this.#seq += 1;
    const words = hashWords(`${this.#hash} ${nowUs} ${pod.metadata.uid} ${node}`);
    this.#hash = words.map((word) => word.toString(16).padStart(16, '0')).join('');
    return {
      kind: 'Decision',
      seq: this.#seq,
      at: microTime(nowUs),
      pod: key,
      uid: pod.metadata.uid,
      schedulerName: pod.spec.schedulerName ?? 'default-scheduler',
      attempts: 1,
      result: node ? 'scheduled' : 'unschedulable',
      node,
      nominatedNodeName: preemption?.nominatedNode ?? '',
      ...(!node && {
        reason: 'Unschedulable',
        message: `0/${this.#nodes.size} nodes are available: ${text}.`,
      }),
      numAllNodes: this.#nodes.size,
      evaluatedNodes: verdicts.length,
      feasibleNodes: feasible.length,
      reasons: [...counts].map(([reason, { plugin, nodes }]) => ({
        plugin,
        code: 'Unschedulable',
        reason,
        nodes,
      })),
      unschedulablePlugins: [...new Set(refused.map(({ plugin }) => plugin))].sort(),
      pendingPlugins: [],
      ...(preemption && { preemption }),
      ...(node && volumesOf(pod)),
      ...(pod.spec.resourceClaims && { notImplemented: ['DynamicResources'] }),
      hash: this.#hash,
    };
  }

  #place(pod) {
    const verdicts = [...this.#nodes.values()].map((node) => ({
      name: node.metadata.name,
      ...this.#refusal(pod, node),
      free: this.#free(node),
    }));
    const feasible = verdicts.filter(({ reason }) => !reason);
    const best = feasible.reduce((most, it) => (most && most.free >= it.free ? most : it), null);
    return { verdicts, feasible, node: best?.name ?? null };
  }

  #refusal(pod, node) {
    if (node.spec?.unschedulable)
      return { plugin: 'NodeUnschedulable', reason: 'node(s) were unschedulable' };
    return this.#free(node, new Set([keyOfPod(pod)])) < cpuOf(pod)
      ? { plugin: 'NodeResourcesFit', reason: 'Insufficient cpu' }
      : {};
  }

  #free(node, without = new Set()) {
    const pods = [...this.#pods].filter(
      ([key, pod]) => pod.spec.nodeName === node.metadata.name && !without.has(key),
    );
    return (
      milli(node.status?.allocatable?.cpu ?? 0) - pods.reduce((sum, [, pod]) => sum + cpuOf(pod), 0)
    );
  }

  #preempt(pod) {
    for (const node of this.#nodes.values()) {
      const lower = [...this.#pods].filter(
        ([, it]) =>
          it.spec.nodeName === node.metadata.name &&
          (it.spec.priority ?? 0) < (pod.spec.priority ?? 0),
      );
      const victims = lower.map(([key]) => key);
      const fits = !node.spec?.unschedulable && this.#free(node, new Set(victims)) >= cpuOf(pod);
      if (fits && victims.length > 0)
        return { nominatedNode: node.metadata.name, victims, message: '' };
    }
    return { nominatedNode: null, victims: [], message: 'no victims' };
  }

  evaluate(text) {
    const end = text.indexOf('\n');
    const options = JSON.parse(text.slice(0, end));
    const pod = options.pod ? this.#pods.get(options.pod) : JSON.parse(text.slice(end + 1));
    if (!pod)
      return {
        error: {
          class: 'InputError',
          code: 'FieldValueInvalid',
          field: 'pod',
          detail: 'not found',
        },
      };
    const { verdicts, feasible, node } = this.#place(pod);
    const groups = new Map();
    for (const { name, plugin, reason } of verdicts.filter((it) => it.reason)) {
      if (!groups.has(plugin))
        groups.set(plugin, { plugin, code: 'Unschedulable', reasons: [reason], nodes: [] });
      groups.get(plugin).nodes.push(name);
    }
    const total = feasible.map(({ free }) => free);
    return {
      apiVersion: 'stowage/v1',
      kind: 'Evaluation',
      pod: options.pod ?? keyOfPod(pod),
      result: node ? 'scheduled' : 'unschedulable',
      node,
      ...(options.classify && this.#classified(pod, node)),
      numAllNodes: verdicts.length,
      evaluatedNodes: verdicts.length,
      feasibleNodes: feasible.length,
      filter: [...groups.values()],
      ...(options.allPlugins && { filterAll: [...groups.values()] }),
      feasible: feasible.map(({ name }) => name),
      best: node ? [node] : [],
      ...(feasible.length > 1 && {
        total,
        weights: { NodeResourcesFit: 1 },
        rawScores: { NodeResourcesFit: total },
        scores: { NodeResourcesFit: total },
      }),
    };
  }

  #classified(pod, node) {
    if (node) return { fits: 'Now' };
    const preemption = this.#preempt(pod);
    if (preemption.nominatedNode) return { fits: 'WithPreemption', preemption };
    const sizes = [...this.#nodes.values()].map(({ status }) => milli(status.allocatable.cpu));
    return { fits: sizes.some((size) => size >= cpuOf(pod)) ? 'NotNow' : 'Never', preemption };
  }

  inspect(query) {
    if (query.options) return { ...this.#options, configuration: this.configuration };
    if (query.pod) return { pod: this.#pods.get(query.pod) ?? null };
    const cache = { nodes: this.#nodes.size, pods: this.#pods.size };
    const queues = { active: this.#pending(), backoff: [], unschedulable: [] };
    return { queues, assumed: [...this.#waiting], cache, hash: this.#hash };
  }
}

function microTime(us) {
  return new Date(us / 1000).toISOString().replace('Z', '000Z');
}

function flatten(value) {
  if (!Array.isArray(value.items)) return [value];
  const kind = value.kind?.replace(/List$/, '');
  return value.items.flatMap((item) =>
    flatten(kind && !item.kind ? { apiVersion: value.apiVersion, kind, ...item } : item),
  );
}

function problemOf(object) {
  const required = (field) => ({
    code: 'FieldValueRequired',
    field,
    message: `${field}: Required value`,
  });
  if (!object.kind) return required('kind');
  const isForeign = /\..*\//.test(object.apiVersion ?? '');
  if (!KNOWN.has(object.kind) || isForeign) return { code: 'UnknownKind' };
  if (!object.metadata?.name) return required('metadata.name');
  if (object.kind === 'Pod' && !object.metadata.uid) return required('metadata.uid');
  const containers = object.spec?.containers ?? [];
  const bad = containers.findIndex(({ resources }) =>
    Number.isNaN(milli(resources?.requests?.cpu ?? 0)),
  );
  if (bad < 0) return null;
  const field = `spec.containers[${bad}].resources.requests[cpu]`;
  return {
    code: 'FieldValueInvalid',
    field,
    message: `${field}: unable to parse quantity's suffix`,
    line: 1,
    column: 1,
  };
}

function volumesOf(pod) {
  const claims = (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim ? [[persistentVolumeClaim.claimName, 'provision']] : [],
  );
  return claims.length > 0 ? { volumes: Object.fromEntries(claims) } : {};
}

function milli(quantity) {
  const text = String(quantity);
  return text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000;
}

function keyOfPod({ metadata }) {
  return `${metadata.namespace}/${metadata.name}`;
}

function cpuOf(pod) {
  return (pod.spec.containers ?? []).reduce(
    (sum, container) => sum + milli(container.resources?.requests?.cpu ?? 0),
    0,
  );
}

function compare(a, b) {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}
