/**
 * A stand-in for the engine that knows the shapes of its surface and a toy of a scheduler: cpu,
 * cordons, schedulers' names, and preemption by priority. It is nastier than the real one: its
 * memory moves on every call, what a view showed before is gone, handles of the dead are refused,
 * and a pod named `crash` ends it.
 */

const UTF8 = new TextEncoder();
const KNOWN = new Set([
  'Pod',
  'Node',
  'Namespace',
  'Service',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
  'PodDisruptionBudget',
]);

export class FakeSurface {
  #schedulers = new Map();
  #memory = new Uint8Array(64);
  #outputSize = 0;
  #generation = 0;
  #isInside = false;
  /** What was asked, in order: `[name, ...arguments]`. */
  calls = [];

  /** @param {{ abi?: number, refuse?: (name: string) => number | undefined }} [options] */
  constructor({ abi = 1, refuse = () => undefined } = {}) {
    this.version = abi;
    this.refuse = refuse;
  }

  /** How many schedulers are alive. */
  get alive() {
    return this.#schedulers.size;
  }

  abi = () => JSON.stringify({ abi: this.version, stowage: '0.0.0-fake', kubernetes: 'v1.36' });

  input = (size) => this.#move(size);

  output = () => this.#move(this.#memory.length).subarray(0, this.#outputSize);

  create = (size, bridge) =>
    this.#call('create', [size, bridge], () => {
      const text = this.#text(size);
      const end = text.indexOf('\n');
      const configuration = text.slice(end + 1);
      const error = configurationError(configuration);
      if (error) return this.#fail(error);
      this.#generation += 1;
      this.#schedulers.set(
        this.#generation,
        new Toy(JSON.parse(text.slice(0, end)), configuration),
      );
      return this.#generation;
    });

  destroy = (handle) =>
    this.#call('destroy', [handle], () => (this.#schedulers.delete(handle) ? 0 : -1));

  apply = (handle, nowUs, format, size) =>
    this.#with('apply', handle, [nowUs, format, size], (toy) =>
      toy.apply(this.#text(size), format, nowUs),
    );

  run = (handle, nowUs, maxCycles) =>
    this.#with('run', handle, [nowUs, maxCycles], (toy) => toy.run(nowUs, maxCycles));

  evaluate = (handle, nowUs, size) =>
    this.#with('evaluate', handle, [nowUs, size], (toy) => toy.evaluate(this.#text(size)));

  inspect = (handle, size) =>
    this.#with('inspect', handle, [size], (toy) => toy.inspect(JSON.parse(this.#text(size))));

  #with(name, handle, values, answer) {
    return this.#call(name, [handle, ...values], () => {
      const toy = this.#schedulers.get(handle);
      if (!toy) return -1;
      const result = answer(toy);
      return result?.error ? this.#fail(result.error) : this.#say(result);
    });
  }

  #call(name, values, body) {
    this.calls.push([name, ...values]);
    const refusal = this.refuse(name);
    if (refusal !== undefined)
      return refusal === -4 ? this.#fail({ class: 'EngineError', message: 'as told' }) : refusal;
    if (this.#isInside) return -2;
    this.#isInside = true;
    try {
      return body();
    } finally {
      this.#isInside = false;
    }
  }

  #say(value) {
    const bytes = UTF8.encode(typeof value === 'string' ? value : JSON.stringify(value));
    this.#move(bytes.length).set(bytes);
    this.#outputSize = bytes.length;
    return bytes.length;
  }

  #fail(error) {
    this.#say(error);
    return -4;
  }

  #text(size) {
    return new TextDecoder().decode(this.#memory.subarray(0, size));
  }

  /** New memory of at least this size with the old content; views of the old one are detached. */
  #move(size) {
    const grown = new ArrayBuffer(Math.max(size, this.#memory.length));
    new Uint8Array(grown).set(this.#memory);
    structuredClone(this.#memory.buffer, { transfer: [this.#memory.buffer] });
    this.#memory = new Uint8Array(grown);
    return this.#memory.subarray(0, size);
  }
}

function configurationError(text) {
  if (text === '') return null;
  const fail = (message, field) => ({
    class: 'ConfigurationError',
    code: 'InvalidConfiguration',
    message,
    errors: [{ field, detail: message }],
  });
  try {
    const known = ['apiVersion', 'kind', 'profiles', 'percentageOfNodesToScore', 'parallelism'];
    const bogus = Object.keys(JSON.parse(text)).find((field) => !known.includes(field));
    return bogus ? fail(`strict decoding error: unknown field "${bogus}"`, bogus) : null;
  } catch (error) {
    return fail(`malformed JSON: ${error.message}`, '');
  }
}

class Toy {
  #options;
  #nodes = new Map();
  #pods = new Map();
  #arrival = 0;
  #seq = 0;
  #told = new Set();
  #commands = [];
  #tried = new Set();

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
      return { error: { class: 'InputError', code: 'MalformedJson', detail: error.message } };
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
    const lines = [];
    const queue = [...this.#commands.splice(0), ...this.#pending()];
    const now = queue.slice(0, maxCycles);
    for (const key of now) lines.push(...this.#decide(key, nowUs));
    const idle = now.length === queue.length;
    return [...lines, { kind: 'Turn', nextDeadline: null, idle, waiting: false }]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  }

  #pending() {
    const pods = [...this.#pods].filter(
      ([key, pod]) =>
        !pod.spec.nodeName && !pod.metadata.deletionTimestamp && !this.#tried.has(key),
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
    if (decision.result === 'scheduled') pod.spec = { ...pod.spec, nodeName: decision.node };
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
    return {
      kind: 'Decision',
      seq: this.#seq,
      at: new Date(nowUs / 1000).toISOString().replace('Z', '000Z'),
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
      ...(pod.spec.volumes?.some((volume) => volume.persistentVolumeClaim) && {
        notImplemented: ['VolumeBinding'],
      }),
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
      evaluatedNodes: verdicts.length,
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

  inspect(query) {
    if (query.options) return { ...this.#options, configuration: this.configuration };
    if (query.pod) return { pod: this.#pods.get(query.pod) ?? null };
    return { cache: { nodes: this.#nodes.size, pods: this.#pods.size } };
  }
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
