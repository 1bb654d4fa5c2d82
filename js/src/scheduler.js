import { Answers } from './answers.js';
import { inTerms, settle } from './apply_result.js';
import { encodeBatches, encodeObject, encodeText } from './batch.js';
import { answerFields } from './calls.js';
import { milliseconds, virtualClock } from './clock.js';
import { isToBeNamed, PriorityClasses, withDefaults } from './defaults.js';
import { DisposedError, InputError, inputErrorFromEngine, WaitError } from './errors.js';
import { Extenders } from './extenders.js';
import { checkOptions, checkedQuestion, creationDocument, cyclesOf, LIMITS } from './options.js';
import { PluginTurns } from './plugin_turns.js';
import { RecordStream } from './records.js';
import { pause, systemClock } from './runtimes/system_clock.js';
import { readTurn } from './turn.js';
import { isRecord } from './values.js';

/**
 * @import { Boundary } from './boundary.js'
 * @import { Answer, ApplyOptions, ApplyResult, Call, Clock, Decision, EngineRecord,
 *   EvaluateOptions, Evaluation, InputErrorFields, KubernetesObject, SchedulerOptions, Turn,
 *   WatchEvent } from './types.js'
 */

/** How many cycles `run` does unless told, and `schedule` does before it lets others work. */
const CYCLES_PER_TURN = 256;

/** How often a question is asked anew while the cluster changes under the extenders' answers. */
const QUESTION_ROUNDS = 100;

/**
 * One kube-scheduler with its cluster: objects go in through `apply`, decisions come out of `run`
 * and `schedule`, `evaluate` asks without changing anything. Made by `createScheduler`.
 */
export class Scheduler {
  #boundary;
  #forgotten;
  /** None is the handle of nothing. */
  #handle = 0;
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
  #extenders;
  #plugins;
  #answers = new Answers((callId, answer) => this.complete(callId, answer));
  #disposal = new AbortController();

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
    this.#extenders = new Extenders(options);
    this.#plugins = new PluginTurns(options, {
      boundary,
      answers: this.#answers,
      inspect: (/** @type {any} */ query) => this.inspect(query),
      apply: (line, settings) => this.apply(line, settings),
    });
    const { declarations, call } = this.#plugins.host;
    this.#handle = boundary.create(
      creationDocument(options, this.#limits, this.#now(), declarations),
      declarations.length > 0 ? call : null,
    );
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
    this.#plugins.giveCommands();
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
    const cycles = cyclesOf(maxCycles);
    this.#now();
    const turn = this.#plugins.run(cycles, (most) =>
      readTurn(this.#boundary.run(handle, this.#now(), most)),
    );
    for (const stream of this.#streams) stream.push(turn.records);
    return turn;
  }

  /**
   * Hands in what became of a call of a turn; the next turn goes on with it. An answer that nobody
   * waits for any more is passed over.
   * @param {number} callId
   * @param {Answer} answer
   * @throws {BatchError} when it is no such answer
   * @throws {DisposedError}
   */
  complete(callId, answer) {
    this.apply(JSON.stringify({ type: 'COMPLETION', call: callId, ...answerFields(answer) }));
  }

  /**
   * Turns until nothing moves by itself: without `until` at the present time, with it also through
   * every deadline up to then, for which the clock is asked to sleep. Extenders are asked on the
   * way.
   * @param {{ until?: Date | number, maxAttempts?: number, signal?: AbortSignal }} [options]
   * @returns {Promise<Decision[]>} in the order in which they were made
   * @throws {DisposedError} and the signal's reason
   */
  async schedule({ until, maxAttempts = Infinity, signal } = {}) {
    /** @type {Decision[]} */
    const decisions = [];
    const isEnough = () => decisions.length >= maxAttempts;
    let waiting = false;
    while (!isEnough()) {
      signal?.throwIfAborted();
      // A cycle that waits makes its decision beside those that are begun.
      const left = maxAttempts - decisions.length - (waiting ? 1 : 0);
      const turn = this.#performing(this.run({ maxCycles: Math.min(CYCLES_PER_TURN, left) }));
      ({ waiting } = turn);
      decisions.push(...decisionsOf(turn));
      if (!turn.idle && left > 0) {
        await pause();
      } else if (turn.busy && this.#answers.size > 0) {
        await this.#answers.news.next(signal);
      } else {
        const { nextDeadline } = turn;
        if (until === undefined || nextDeadline === null || nextDeadline > milliseconds(until))
          break;
        await this.#answers.news.sleep(this.#clock, nextDeadline, signal);
      }
    }
    return decisions;
  }

  /**
   * One full cycle for this pod, now, whatever the queue says. Extenders are asked on the way.
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
    for (let cycles = 1; ;) {
      const turn = this.#performing(this.run({ maxCycles: cycles }));
      const decision = decisionsOf(turn).find((record) => record.pod === pod);
      if (decision) return decision;
      if (!turn.waiting || this.#answers.size === 0) break;
      // The cycle that waits may be another one's, and the command may still be to come.
      cycles = turn.calls.some((call) => call.pod === pod) ? 0 : cycles;
      await this.#answers.news.next();
    }
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
   * @throws {WaitError} when an extender has to be waited for
   * @throws {DisposedError}
   */
  evaluate(pod, options = {}) {
    /** @type {Map<string, Answer>} */
    const answers = new Map();
    for (;;) {
      const { calls, text } = this.#ask(pod, options, answers);
      if (calls.length === 0) return JSON.parse(text);
      for (const call of calls) {
        const answer = this.#extenders.performNow(call);
        if (!answer) throw new WaitError(call.url);
        answers.set(call.key, answer);
      }
    }
  }

  /**
   * The same, waiting for extenders where they have to be asked.
   * @param {KubernetesObject | string} pod
   * @param {EvaluateOptions & { signal?: AbortSignal }} [options]
   * @returns {Promise<Evaluation>}
   * @throws {InputError} as `evaluate` does
   * @throws {WaitError} when the cluster changes faster than an extender answers
   * @throws {DisposedError} and the signal's reason
   */
  async evaluateAsync(pod, { signal, ...options } = {}) {
    /** @type {Map<string, Answer>} */
    const answers = new Map();
    let url = '';
    for (let round = 0; round < QUESTION_ROUNDS; round += 1) {
      signal?.throwIfAborted();
      const { calls, text } = this.#ask(pod, options, answers);
      if (calls.length === 0) return JSON.parse(text);
      ({ url } = calls[0]);
      const made = calls.map(async (call) => {
        answers.set(call.key, await this.#extenders.perform(call, signal));
      });
      await Promise.all(made);
    }
    throw new WaitError(url, `the cluster changes faster than the extender at ${url} answers`);
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
    this.#disposal.abort(new DisposedError());
    for (const stream of this.#streams) stream.end();
    this.#boundary.destroy(this.#handle);
    this.#answers.news.tell();
  }

  /** For `using`. */
  [Symbol.dispose]() {
    this.dispose();
  }

  #living() {
    if (this.#disposed) throw new DisposedError();
    return this.#handle;
  }

  /**
   * Performs the calls of a turn; their answers find their way in by themselves.
   * @param {Turn} turn
   * @returns {Turn}
   */
  #performing(turn) {
    for (const call of turn.calls) {
      this.#answers.await(call.id, this.#extenders.perform(call, this.#disposal.signal));
    }
    return turn;
  }

  /**
   * @param {KubernetesObject | string} pod
   * @param {EvaluateOptions} options
   * @param {Map<string, Answer>} known by the key of the call
   */
  #ask(pod, options, known) {
    const handle = this.#living();
    const named = typeof pod === 'string';
    const answers = [...known].map(([key, answer]) => ({ key, ...answerFields(answer) }));
    const question = { ...checkedQuestion(options), ...(named && { pod }), answers };
    const body = named ? '' : encodeObject(pod, (object) => this.#completePod(object));
    const parts = [JSON.stringify(question), '\n', body];
    const output = this.#boundary.evaluate(handle, this.#now(), parts);
    this.#plugins.host.perform([]);
    return output;
  }

  /** Microseconds since the epoch; never less than before, whatever the host's clock does. */
  #now() {
    if (this.#plugins.isInTurn) return this.#latest;
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
