import { Answers } from './answers.js';
import { addAnswer, settle, unknownKind } from './apply_result.js';
import { AwaitedDecisions } from './awaited_decisions.js';
import { batchesOf } from './batch.js';
import { calledInside } from './boundary.js';
import { answerFields } from './calls.js';
import { CallsUnderWay } from './calls_in_time.js';
import { virtualClock } from '../io/clock.js';
import { loggedCompleter } from './completer.js';
import { DisposedError, StowageError, WaitError } from '../kubernetes/errors.js';
import { Extenders } from '../plugins/extenders.js';
import { LoggedDoor } from './log.js';
import { removalOf, unbindingOf } from './object_events.js';
import {
  checkedStart,
  checkOptions,
  creationDocument,
  cyclesOf,
  LIMITS,
  microseconds,
} from './options.js';
import { PluginTurns } from '../plugins/turns.js';
import { Pump } from './pump.js';
import { answered, answeredNow, questionParts } from './questions.js';
import { completionRecord, recordsOf, RecordStreams } from './records.js';
import { systemClock } from '../runtimes/system_clock.js';
import { CYCLES_PER_TURN, scheduleCommanded, scheduleUntil } from './schedule.js';
import { StoredObjects } from './stored_objects.js';
import { withFork } from './transaction.js';
import { readTurn } from './turn.js';

/**
 * @import { Completer } from './completer.js'
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { InspectionOf, InspectQuery } from './inspection_types.js'
 * @import { Door, Versions } from './log.js'
 * @import { RecordsByKind } from './record_types.js'
 * @import { KubernetesObject, WatchEvent } from '../kubernetes/types.js'
 * @import { Answer, ApplyOptions, ApplyResult, Call, Clock, Decision, EngineRecord,
 *   EvaluateOptions, Evaluation, SchedulerOptions, StartOptions, Turn } from './types.js'
 */

/**
 * One kube-scheduler with its cluster. `apply` puts objects in, `run` and `schedule` return
 * decisions, `evaluate` asks without changing anything. Created by `createScheduler`.
 */
export class Scheduler {
  #parts;
  #boundary;
  #forgotten;
  /** 0 is no valid handle. */
  #handle = 0;
  /** @type {Clock} */
  #clock;
  #latest = -Infinity;
  #limits;
  #disposed = false;
  #kubernetesVersion;
  #completer;
  #objects;
  #streams = new RecordStreams();
  #extenders;
  #plugins;
  #answers = new Answers((call, answer) => this.#complete(call, answer));
  /** Calls to extenders, except while the scheduler is started. */
  #calls = new CallsUnderWay();
  #decisions = new AwaitedDecisions();
  #disposal = new AbortController();
  /** @type {Pump | undefined} */
  #pump;

  /**
   * Called by Engine.
   * @param {{ door: Door, versions: Versions, forgotten: FinalizationRegistry<number>, options:
   *   SchedulerOptions, completer?: Completer, origin?: number }} parts `origin`: the handle of the
   *   scheduler that this one is a fork of
   */
  constructor({ door, versions, forgotten, options, completer, origin }) {
    checkOptions(options);
    this.#parts = { door, versions, forgotten, options };
    const { log, seed } = options;
    this.#completer = completer ?? loggedCompleter(seed, (entry) => logged?.write(entry));
    const logged = log && new LoggedDoor(door, { log, versions, completer: this.#completer });
    const boundary = logged ?? door;
    this.#boundary = boundary;
    this.#forgotten = forgotten;
    this.#kubernetesVersion = versions.kubernetesVersion;
    this.#clock =
      options.clock ?? (options.api === 'host' ? systemClock() : virtualClock(options.startTime));
    this.#limits = { ...LIMITS, ...options.limits };
    this.#extenders = new Extenders(options);
    this.#plugins = new PluginTurns(options, {
      boundary,
      answers: this.#answers,
      inspect: (/** @type {any} */ query) => this.inspect(query),
      apply: (line, settings) => this.apply(line, settings),
    });
    this.#objects = new StoredObjects((query) => this.inspect(query), this.#completer);
    const { declarations, call } = this.#plugins.host;
    const bridge = declarations.length > 0 ? call : null;
    this.#handle = origin
      ? boundary.fork(origin, bridge)
      : boundary.create(creationDocument(options, this.#limits, this.#now(), declarations), bridge);
    forgotten.register(this, this.#handle, this);
  }

  /**
   * A hash over all decisions: two schedulers with equal hashes made the same decisions at the same
   * times. Zeros before the first decision.
   * @returns {string} hexadecimal digits
   * @throws {DisposedError}
   */
  get hash() {
    return this.inspect().hash;
  }

  /** Probable mistakes: a plugin that no profile enables. @returns {string[]} */
  get warnings() {
    return this.#plugins.host.idle.map(
      (name) =>
        `plugin "${name}" is not enabled in any profile of the configuration: it is never called`,
    );
  }

  /** The kube-scheduler release that the engine implements, such as `v1.36`. */
  get kubernetesVersion() {
    return this.#kubernetesVersion;
  }

  /**
   * Puts objects and watch events into the cluster. A bare object means "as it is now"; Lists are
   * taken apart. JavaScript values without `metadata.uid` are completed by `withDefaults` first;
   * text and bytes go to the engine unchanged. Bad items do not stop the others.
   * @param {KubernetesObject | WatchEvent | Iterable<KubernetesObject | WatchEvent> | string |
   *   Uint8Array} input
   * @param {ApplyOptions} [options]
   * @returns {ApplyResult}
   * @throws {BatchError} if items were bad and there is no `onError`, after all others were applied
   * @throws {DisposedError}
   */
  apply(input, options = {}) {
    const handle = this.#living();
    // Checked before completion: a refused call must not leave its classes behind.
    if (this.#boundary.isBusy) throw calledInside('apply');
    this.#plugins.giveCommands();
    /** @type {ApplyResult} */
    const result = { applied: 0, ignored: 0, errors: [], unknownKinds: [] };
    for (const batch of batchesOf(input, {
      format: options.format,
      limits: this.#limits,
      complete: (object, known) => this.#completer.complete(object, known),
    })) {
      if (batch.error) result.errors.push(batch.error);
      result.applied += batch.read ?? 0;
      if (!batch.parts) continue;
      const answer = this.#boundary.apply(handle, this.#now(), batch.format, batch.parts);
      addAnswer(result, JSON.parse(answer), batch.indexes);
    }
    this.#answers.changes.notify();
    return settle(result, options.onError);
  }

  /**
   * Removes an object from the cluster, as a DELETED event does.
   * @param {KubernetesObject} object its `apiVersion`, `kind`, and in `metadata` the name, the
   *   namespace and a pod's uid are read; without a uid it is the pod of this name
   * @throws {InputError} if there is no such pod, or the engine does not read this kind
   * @throws {BatchError} if it names no object
   * @throws {DisposedError}
   */
  remove(object) {
    const { applied } = this.apply(removalOf(object, (pod) => this.inspect({ pod })));
    if (applied === 0) throw unknownKind(`${object.apiVersion}, Kind=${object.kind}`);
  }

  /**
   * Returns all objects of a kind as they are now: the applied objects with the decisions since.
   * Nodes come in the order in which cycles visit them, pods in queue order, then placed pods.
   * @param {string} kind such as `Pod`, or a resource such as `pods`
   * @returns {KubernetesObject[]}
   * @throws {InputError} if the engine does not read this kind, or does not keep objects
   * @throws {DisposedError}
   */
  list(kind) {
    return this.#objects.list(kind);
  }

  /**
   * Returns one object as it is now.
   * @param {string} kind as for `list`
   * @param {string} name `namespace/name`, or the name alone for an object without a namespace or
   *   in `default`
   * @returns {KubernetesObject | undefined} undefined if it does not exist
   * @throws {InputError} as `list` does
   * @throws {DisposedError}
   */
  get(kind, name) {
    return this.#objects.get(kind, name);
  }

  /**
   * Returns the cluster as it is now: applied to another scheduler, it gives an equal cluster,
   * except for attempts and backoff, which only the log contains.
   * @returns {KubernetesObject} a List
   * @throws {InputError} if the engine does not keep objects
   * @throws {DisposedError}
   */
  snapshot() {
    return this.#objects.snapshot();
  }

  /**
   * Takes a pod off its node and queues it as a new one. The host's API server is not informed.
   * @param {KubernetesObject | string} pod the whole pod, or its `namespace/name`
   * @throws {InputError} if the pod does not exist, is on no node, or cannot be read
   * @throws {DisposedError}
   */
  unbind(pod) {
    const whole = typeof pod === 'string' ? this.#objects.pod(pod) : pod;
    const complete = this.#completer.completePod(whole);
    const unbinding = unbindingOf(complete, (name) => this.inspect({ pod: name }));
    try {
      this.evaluate(unbinding.pod, { detail: 'summary', preemption: false });
    } catch (error) {
      if (!(error instanceof WaitError)) throw error;
    }
    this.apply(unbinding.events);
  }

  /**
   * Returns a scheduler in the same state, which goes on independently; `dispose` it. Both share
   * what neither changes. Binding cycles and evictions under way stay here: in the fork their pods
   * are assumed on their nodes. A fork has no log, and a virtual clock of its own.
   * @returns {Scheduler}
   * @throws {StowageError} `CycleInProgress` while a cycle waits for an extender
   */
  fork() {
    const origin = this.#living();
    const { log, ...options } = this.#parts.options;
    const clock = this.#clock.isVirtual ? virtualClock(this.#clock.now()) : this.#clock;
    const completer = this.#completer.copy();
    return new Scheduler({ ...this.#parts, options: { ...options, clock }, completer, origin });
  }

  /**
   * Calls `change` with a fork, and disposes of the fork when `change` has returned or its promise
   * has settled: nothing remains.
   * @template T
   * @param {(fork: Scheduler) => T} change
   * @returns {T} what `change` returns
   */
  transaction(change) {
    return withFork(this.fork(), change);
  }

  /**
   * Runs one turn: up to `maxCycles` cycles, in queue order, at one fixed time. The caller performs
   * its calls, except while the scheduler is started.
   * @param {{ maxCycles?: number }} [options] default 256; Infinity: no bound
   * @returns {Turn}
   * @throws {InputError} if `maxCycles` is neither an integer ≥ 0 nor Infinity
   * @throws {DisposedError}
   */
  run({ maxCycles = CYCLES_PER_TURN } = {}) {
    const turn = this.#turn(maxCycles);
    if (this.#pump) this.#perform(turn);
    return turn;
  }

  /**
   * Hands in the answer to a call of a turn; the next turn continues with it. Answers to calls that
   * have ended are ignored.
   * @param {number} callId
   * @param {Answer} answer
   * @throws {BatchError} if the answer has another shape
   * @throws {DisposedError}
   */
  complete(callId, answer) {
    this.#complete({ id: callId }, answer);
  }

  /**
   * Runs turns until nothing more happens by itself: without `until` at the present time, with it
   * also through every deadline up to then, for which the clock sleeps. Extenders are called on the
   * way. Calls of kind `api` are performed while the scheduler is started; otherwise the caller
   * finds them in `records` and performs them.
   * @param {{ until?: Date | number, maxAttempts?: number, signal?: AbortSignal }} [options]
   * @returns {Promise<Decision[]>} all decisions of that period in their order, including those of
   *   turns that other callers ran
   * @throws {DisposedError} and the signal's reason
   */
  async schedule(options = {}) {
    return scheduleUntil(this.#turns, options);
  }

  /**
   * Runs one full cycle for this pod now, regardless of the queue's order. Extenders are called on
   * the way.
   * @param {string} pod `namespace/name`
   * @returns {Promise<Decision>}
   * @throws {InputError} if no such pod is to be scheduled
   * @throws {DisposedError}
   */
  async scheduleOne(pod) {
    const command = JSON.stringify({ type: 'SCHEDULE_ONE', pod });
    /** @type {InputError[]} */
    const errors = [];
    this.apply(command, { onError: (error) => errors.push(error) });
    if (errors.length > 0) throw errors[0];
    return scheduleCommanded(this.#turns, pod);
  }

  /**
   * Keeps the scheduler running: turns of at most `budgetMs` with pauses in between, calls and
   * their answers, and sleep until the next deadline or input. A virtual clock advances when
   * nothing is in progress. All other methods keep working; the calls of all turns are performed
   * here.
   * @param {StartOptions} options
   * @returns {Promise<void>} resolved when the signal aborts, the scheduler is disposed, or `until`
   *   has passed; calls still in progress are then answered as `aborted`, after a signal's grace
   *   period
   * @throws {InputError} if an option is invalid; a StowageError if it was started before
   * @throws {DisposedError}
   */
  async start(options) {
    this.#living();
    const { signal, aroundTurn, ...settings } = checkedStart(options);
    if (this.#pump) throw new StowageError('Started', 'this scheduler is started already');
    this.#pump = new Pump({
      step: (maxCycles) => aroundTurn(() => this.#turn(maxCycles)),
      performCalls: (turn) => this.#perform(turn),
      answers: this.#answers,
      clock: this.#clock,
      ...settings,
    });
    try {
      await this.#pump.run({ stop: signal, end: this.#disposal.signal });
    } finally {
      this.#pump = undefined;
    }
  }

  /**
   * Returns what the next cycle would do with a pod; nothing changes. A bound pod is evaluated as
   * if it had just been taken off its node.
   * @param {KubernetesObject | string} pod an object, completed if it lacks a name or a uid, or the
   *   `namespace/name` of a pod in the cluster
   * @param {EvaluateOptions} [options]
   * @returns {Evaluation}
   * @throws {InputError} if the pod cannot be read or does not exist, the object has no field of a
   *   pod, or `detail` is unknown
   * @throws {WaitError} if an extender has to be awaited
   * @throws {DisposedError}
   */
  evaluate(pod, options = {}) {
    const ask = (/** @type {Map<string, Answer>} */ known) => this.#ask(pod, options, known);
    return JSON.parse(answeredNow(ask, (call) => this.#extenders.performNow(call)));
  }

  /**
   * The same, but awaits extenders.
   * @param {KubernetesObject | string} pod
   * @param {EvaluateOptions & { signal?: AbortSignal }} [options]
   * @returns {Promise<Evaluation>}
   * @throws {InputError} as `evaluate`
   * @throws {WaitError} if the cluster changes faster than an extender answers
   * @throws {DisposedError} and the signal's reason
   */
  async evaluateAsync(pod, { signal, ...options } = {}) {
    const ask = (/** @type {Map<string, Answer>} */ known) => this.#ask(pod, options, known);
    return JSON.parse(
      await answered(ask, (call, end) => this.#extenders.perform(call, end), signal),
    );
  }

  /**
   * Returns internal state: `{}` the queues and everything between them and the nodes, `{ cache:
   * true }` the same with the pods of each node, `{ waiting: true }` only the pods that wait in
   * Permit, `{ metrics: true }` the metrics, `{ node }` the contents of a node, `{ pod }` the place
   * of a pod, `{ madeUp: true }` the objects of the simulated volume controllers.
   * @template {InspectQuery} [Query={}]
   * @param {Query} [query]
   * @returns {InspectionOf<Query>}
   * @throws {InputError} if the node, pod or metrics do not exist
   * @throws {DisposedError}
   */
  inspect(query) {
    return JSON.parse(this.#boundary.inspect(this.#living(), [JSON.stringify(query ?? {})]));
  }

  /**
   * Streams the records of every turn from now on, including those of `schedule`, and the answers
   * that are handed in or performed here. At most 10,000 records wait for a slow reader; a
   * `RecordsDropped` record, sent whatever the `kinds`, counts those it missed. Ends with the
   * signal or `dispose`.
   * @template {EngineRecord['kind']} [Kind=EngineRecord['kind']]
   * @param {{ kinds?: readonly Kind[], signal?: AbortSignal }} [options]
   * @returns {AsyncIterableIterator<RecordsByKind[Kind]>}
   * @throws {DisposedError}
   */
  records({ kinds, signal } = {}) {
    this.#living();
    return /** @type {AsyncIterableIterator<any>} */ (this.#streams.open({ kinds, signal }));
  }

  /**
   * Frees the engine's memory; inside a plugin's call, as soon as the engine returns. Afterwards
   * every method throws DisposedError, except a second `dispose`.
   */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#forgotten.unregister(this);
    this.#disposal.abort(new DisposedError());
    this.#calls.end(new DisposedError());
    this.#streams.end();
    this.#boundary.destroy(this.#handle);
    this.#answers.changes.notify();
  }

  /** For `using`. */
  [Symbol.dispose]() {
    this.dispose();
  }

  #living() {
    if (this.#disposed) throw new DisposedError();
    return this.#handle;
  }

  get #turns() {
    return {
      step: (/** @type {number} */ maxCycles) => this.#turn(maxCycles),
      performCalls: (/** @type {Turn} */ turn) => this.#perform(turn),
      answers: this.#answers,
      clock: this.#clock,
      decisions: this.#decisions,
    };
  }

  /**
   * @param {number} maxCycles
   * @returns {Turn}
   */
  #turn(maxCycles) {
    const handle = this.#living();
    const cycles = cyclesOf(maxCycles);
    this.#now();
    const turn = this.#plugins.run(cycles, (most) =>
      readTurn(this.#boundary.run(handle, this.#now(), most)),
    );
    this.#streams.publish(() => recordsOf(turn));
    this.#decisions.publish(turn);
    return turn;
  }

  /**
   * @param {{ id: number, kind?: Call['kind'] }} call
   * @param {Answer} answer
   */
  #complete({ id, kind }, answer) {
    this.apply(JSON.stringify({ type: 'COMPLETION', call: id, ...answerFields(answer) }));
    // Calls to plugins are internal, so their answers have no records either.
    if (kind !== 'plugin') this.#streams.publish(() => [completionRecord(id, answer)]);
  }

  /**
   * Performs the calls of a turn; their answers are handed in when they arrive.
   * @param {Turn} turn
   */
  #perform(turn) {
    const calls = this.#pump?.calls ?? this.#calls;
    for (const call of turn.calls) {
      const answer =
        call.kind === 'api'
          ? this.#pump?.perform(call)
          : calls.make((end) => this.#extenders.perform(call, end));
      if (answer) this.#answers.await(call, answer);
    }
    this.#answers.check();
  }

  /**
   * @param {KubernetesObject | string} pod
   * @param {EvaluateOptions} options
   * @param {Map<string, Answer>} known by the key of the call
   */
  #ask(pod, options, known) {
    const handle = this.#living();
    const parts = questionParts(pod, options, known, this.#completer);
    return this.#boundary.evaluate(handle, this.#now(), parts);
  }

  /** Microseconds since the epoch; never less than before, even if the host's clock goes back. */
  #now() {
    if (this.#plugins.isInTurn) return this.#latest;
    this.#latest = Math.max(this.#latest, microseconds(this.#clock.now()));
    return this.#latest;
  }
}
