import { encodeBatches, encodeObject, encodeText } from './batch.js';
import { milliseconds, virtualClock } from './clock.js';
import { isToBeNamed, PriorityClasses, withDefaults } from './defaults.js';
import { BatchError, DisposedError, InputError, inputErrorFromEngine } from './errors.js';
import { checkOptions, checkedQuestion, creationDocument, cyclesOf, LIMITS } from './options.js';
import { RecordStream } from './records.js';
import { pause, systemClock } from './runtimes/system_clock.js';
import { isRecord } from './values.js';

/**
 * @import { Boundary } from './boundary.js'
 * @import { ApplyOptions, ApplyResult, Clock, Decision, EngineRecord, EvaluateOptions, Evaluation,
 *   InputErrorFields, KubernetesObject, SchedulerOptions, Turn, WatchEvent } from './types.js'
 */

/** How many cycles `run` does unless told, and `schedule` does before it lets others work. */
const CYCLES_PER_TURN = 256;

/**
 * One kube-scheduler with its cluster: objects go in through `apply`, decisions come out of `run`
 * and `schedule`, `evaluate` asks without changing anything. Made by `createScheduler`.
 */
export class Scheduler {
  #boundary;
  #forgotten;
  #handle;
  /** @type {Clock} */
  #clock;
  #latest = 0;
  #limits;
  #disposed = false;
  #kubernetesVersion;
  #priorityClasses = new PriorityClasses();
  #seed;
  #named = 0;
  /** @type {Set<RecordStream>} */
  #streams = new Set();

  /**
   * Called by Engine.
   * @param {{ boundary: Boundary, kubernetesVersion: string, forgotten:
   *   FinalizationRegistry<number>, options: SchedulerOptions }} parts
   */
  constructor({ boundary, kubernetesVersion, forgotten, options }) {
    checkOptions(options);
    this.#boundary = boundary;
    this.#forgotten = forgotten;
    this.#kubernetesVersion = kubernetesVersion;
    this.#clock =
      options.clock ?? (options.api === 'host' ? systemClock() : virtualClock(options.startTime));
    this.#limits = { ...LIMITS, ...options.limits };
    this.#seed = options.seed ?? 0;
    this.#handle = boundary.create(creationDocument(options, this.#limits, this.#now()));
    forgotten.register(this, this.#handle, this);
  }

  /** The kube-scheduler that is rebuilt, such as `v1.36`. */
  get kubernetesVersion() {
    return this.#kubernetesVersion;
  }

  /**
   * Puts objects and watch events into the cluster. A bare object means "as it is now"; Lists are
   * taken apart. JavaScript values without `metadata.uid` are completed by `withDefaults` first;
   * text and bytes go to the engine as they are. Bad items never stop the others.
   * @param {KubernetesObject | WatchEvent | Iterable<KubernetesObject | WatchEvent> | string |
   *   Uint8Array} input
   * @param {ApplyOptions} [options]
   * @returns {ApplyResult}
   * @throws {BatchError} when items were bad and there is no `onError`, after all others were
   *   applied
   * @throws {DisposedError}
   */
  apply(input, options = {}) {
    const handle = this.#living();
    const text = typeof input === 'string' || input instanceof Uint8Array;
    const batches = text
      ? encodeText(input, options.format ?? 'document', this.#limits)
      : encodeBatches(
          /** @type {any} */ (input),
          (object, known) => this.#complete(object, known),
          this.#limits,
        );
    /** @type {ApplyResult} */
    const result = { applied: 0, ignored: 0, errors: [], unknownKinds: [] };
    for (const batch of batches) {
      if (batch.error) result.errors.push(batch.error);
      result.applied += batch.read ?? 0;
      if (batch.parts) this.#applyBatch(handle, batch, result);
    }
    return settle(result, options.onError);
  }

  /**
   * One turn: as many cycles as allowed, in the order of the queue, at one fixed time.
   * @param {{ maxCycles?: number }} [options] default 256; Infinity: no bound
   * @returns {Turn}
   * @throws {InputError} when `maxCycles` is neither an integer ≥ 0 nor Infinity
   * @throws {DisposedError}
   */
  run({ maxCycles = CYCLES_PER_TURN } = {}) {
    const handle = this.#living();
    const answer = this.#boundary.run(handle, this.#now(), cyclesOf(maxCycles));
    /** @type {EngineRecord[]} */
    const records = [];
    /** @type {{ nextDeadline: number | null, idle: boolean }} */
    let end = { nextDeadline: null, idle: true };
    for (const line of answer.split('\n')) {
      if (line === '') continue;
      const record = JSON.parse(line);
      if (record.kind === 'Turn') end = record;
      else records.push(record);
    }
    for (const stream of this.#streams) stream.push(records);
    const nextDeadline = end.nextDeadline === null ? null : end.nextDeadline / 1000;
    return { records, calls: [], nextDeadline, idle: end.idle };
  }

  /**
   * Turns until nothing moves by itself: without `until` at the present time, with it also through
   * every deadline up to then, for which the clock is asked to sleep.
   * @param {{ until?: Date | number, maxAttempts?: number, signal?: AbortSignal }} [options]
   * @returns {Promise<Decision[]>} in the order in which they were made
   * @throws {DisposedError} and the signal's reason
   */
  async schedule({ until, maxAttempts = Infinity, signal } = {}) {
    /** @type {Decision[]} */
    const decisions = [];
    while (decisions.length < maxAttempts) {
      signal?.throwIfAborted();
      const turn = this.run({
        maxCycles: Math.min(CYCLES_PER_TURN, maxAttempts - decisions.length),
      });
      decisions.push(...decisionsOf(turn));
      if (!turn.idle) {
        await pause();
        continue;
      }
      if (
        until === undefined ||
        turn.nextDeadline === null ||
        turn.nextDeadline > milliseconds(until)
      )
        break;
      await this.#clock.sleep(turn.nextDeadline, signal);
    }
    return decisions;
  }

  /**
   * One full cycle for this pod, now, whatever the queue says.
   * @param {string} pod `namespace/name`
   * @returns {Promise<Decision>}
   * @throws {InputError} when there is no such pod to be scheduled
   * @throws {DisposedError}
   */
  async scheduleOne(pod) {
    const command = JSON.stringify({ type: 'SCHEDULE_ONE', pod });
    /** @type {InputError[]} */
    const errors = [];
    this.apply(command, { onError: (error) => errors.push(error) });
    if (errors.length > 0) throw errors[0];
    const decision = decisionsOf(this.run({ maxCycles: 1 })).find((record) => record.pod === pod);
    if (decision) return decision;
    throw new InputError({
      code: 'FieldValueInvalid',
      field: 'pod',
      value: pod,
      detail: `pod ${pod} does not wait to be scheduled`,
    });
  }

  /**
   * What the next cycle would do with a pod; nothing changes. A pod that is bound is asked as if it
   * had just been taken off its node.
   * @param {KubernetesObject | string} pod an object, completed where it lacks a name or a uid, or
   *   the `namespace/name` of one that is there
   * @param {EvaluateOptions} [options]
   * @returns {Evaluation}
   * @throws {InputError} when the pod cannot be read or is not there, or `detail` is no such word
   * @throws {DisposedError}
   */
  evaluate(pod, options = {}) {
    const handle = this.#living();
    const named = typeof pod === 'string';
    const question = JSON.stringify({ ...checkedQuestion(options), ...(named && { pod }) });
    const body = named ? '' : encodeObject(pod, (object) => this.#completePod(object));
    return JSON.parse(this.#boundary.evaluate(handle, this.#now(), [question, '\n', body]));
  }

  /**
   * Looks inside: `{}` counts and queues, `{ node }` what a node holds, `{ pod }` where a pod is.
   * @param {{ node?: string, pod?: string, [field: string]: unknown }} [query]
   * @returns {any}
   * @throws {DisposedError}
   */
  inspect(query = {}) {
    return JSON.parse(this.#boundary.inspect(this.#living(), [JSON.stringify(query)]));
  }

  /**
   * The records of every turn from now on, also of those that `schedule` makes. At most 10,000 wait
   * for a slow reader; what it missed is a `RecordsDropped` record. Ends with the signal or
   * `dispose`.
   * @param {{ kinds?: string[], signal?: AbortSignal }} [options]
   * @returns {AsyncIterableIterator<EngineRecord>}
   * @throws {DisposedError}
   */
  records({ kinds, signal } = {}) {
    this.#living();
    const stream = new RecordStream({
      kinds,
      signal,
      onEnd: (ended) => this.#streams.delete(ended),
    });
    if (!signal?.aborted) this.#streams.add(stream);
    return stream;
  }

  /**
   * Frees the engine's memory. Everything asked afterwards throws DisposedError; a second time is
   * fine.
   */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#forgotten.unregister(this);
    for (const stream of this.#streams) stream.end();
    this.#boundary.destroy(this.#handle);
  }

  /** For `using`. */
  [Symbol.dispose]() {
    this.dispose();
  }

  #living() {
    if (this.#disposed) throw new DisposedError();
    return this.#handle;
  }

  /** Microseconds since the epoch; never less than before, whatever the host's clock does. */
  #now() {
    this.#latest = Math.max(this.#latest, Math.round(this.#clock.now() * 1000));
    return this.#latest;
  }

  /**
   * @param {number} handle
   * @param {import('./batch.js').Batch} batch
   * @param {ApplyResult} result
   */
  #applyBatch(handle, batch, result) {
    const answer = this.#askApply(handle, batch);
    result.applied += answer.applied ?? 0;
    result.ignored += answer.ignored ?? 0;
    if (answer.resourceVersion !== undefined) result.resourceVersion = answer.resourceVersion;
    if (answer.status !== undefined) result.status = answer.status;
    result.unknownKinds.push(...(answer.unknownKinds ?? []));
    for (const fields of /** @type {InputErrorFields[]} */ (answer.errors ?? [])) {
      result.errors.push(
        inputErrorFromEngine(batch.indexes ? inTerms(fields, batch.indexes) : fields),
      );
    }
  }

  /**
   * A document that cannot be read at all is one bad item among others.
   * @param {number} handle
   * @param {import('./batch.js').Batch} batch
   */
  #askApply(handle, batch) {
    try {
      return JSON.parse(
        this.#boundary.apply(handle, this.#now(), batch.format, /** @type {any} */ (batch.parts)),
      );
    } catch (error) {
      if (error instanceof InputError)
        return { errors: [{ ...error.toJSON(), message: error.detail }] };
      throw error;
    }
  }

  /**
   * An object as the API server would have stored it. PriorityClasses end here: the scheduler
   * itself never reads them.
   * @param {KubernetesObject} object
   * @param {import('./batch.js').Change} change
   * @returns {KubernetesObject | null}
   */
  #complete(object, change) {
    if (object.kind === 'PriorityClass') {
      this.#priorityClasses.change(object, change);
      return null;
    }
    if (object.metadata?.uid) return object;
    if (isToBeNamed(object)) this.#named += 1;
    return withDefaults(object, {
      priorityClasses: this.#priorityClasses,
      seed: this.#seed,
      count: this.#named,
    });
  }

  /** @param {KubernetesObject} pod */
  #completePod(pod) {
    const metadata = pod.metadata ?? {};
    if (!isRecord(metadata)) return { apiVersion: 'v1', kind: 'Pod', ...pod };
    const name = metadata.name ?? (metadata.generateName ? undefined : 'pod');
    const named = {
      apiVersion: 'v1',
      kind: 'Pod',
      ...pod,
      metadata: { ...metadata, ...(name && { name }) },
    };
    return metadata.uid
      ? named
      : withDefaults(named, { priorityClasses: this.#priorityClasses, seed: this.#seed });
  }
}

/**
 * @param {Turn} turn
 * @returns {Decision[]}
 */
function decisionsOf(turn) {
  return /** @type {Decision[]} */ (turn.records.filter((record) => record.kind === 'Decision'));
}

/**
 * Hands errors and unknown kinds to the caller's function, or throws.
 * @param {ApplyResult} result
 * @param {ApplyOptions['onError']} onError
 */
function settle(result, onError) {
  const bad = result.errors.filter((error) => error.code !== 'UnknownKind');
  const unknown = result.errors.filter((error) => error.code === 'UnknownKind');
  result.errors = bad;
  if (onError) {
    const told = new Set(unknown.map((error) => `${error.apiVersion}, Kind=${error.kind}`));
    for (const error of [...bad, ...unknown]) onError(error);
    for (const kind of result.unknownKinds) if (!told.has(kind)) onError(unknownKind(kind));
    return result;
  }
  if (bad.length > 0) throw new BatchError(bad, result);
  return result;
}

/**
 * An error in terms of the caller's batch, who never saw the lines that were made of it.
 * @param {InputErrorFields} fields
 * @param {number[]} indexes
 * @returns {InputErrorFields}
 */
function inTerms({ line: _line, column: _column, ...fields }, indexes) {
  return { ...fields, index: indexes[fields.index ?? -1] };
}

/** @param {string} text `apps/v1, Kind=Deployment` */
function unknownKind(text) {
  const [apiVersion, kind] = text.split(', Kind=');
  return new InputError({
    code: 'UnknownKind',
    apiVersion,
    kind,
    detail: 'this engine does not read this kind',
  });
}
