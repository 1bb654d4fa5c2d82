import { addAnswer, settle, unknownKind } from './apply_result.js';
import { AwaitedDecisions } from './awaited_decisions.js';
import { batchAgain, batchesOf } from './batch.js';
import { calledInside } from './boundary.js';
import { loggedCompleter } from './completer.js';
import { DisposedError } from '../kubernetes/errors.js';
import { Extenders } from '../plugins/extenders.js';
import { LoggedDoor } from './log.js';
import { unbindingOf, removalOf } from './object_events.js';
import { checkedStart, checkOptions, creationDocument, cyclesOf, LIMITS } from './options.js';
import { Performer } from './performer.js';
import { PluginTurns } from '../plugins/turns.js';
import { answered, answeredNow, questionParts } from './questions.js';
import { completionLines, completionRecords, recordsOf, RecordStreams } from './records.js';
import { CYCLES_PER_TURN, scheduleCommanded, scheduleUntil } from './schedule.js';
import { SchedulerTime } from './scheduler_time.js';
import { StoredObjects } from './stored_objects.js';
import { onFork, transactionOpen, withTransaction } from './transaction.js';
import { readTurn } from './turn.js';

/**
 * @import { Completer } from './completer.js'
 * @import { InputError, StowageError, WaitError } from '../kubernetes/errors.js'
 * @import { InspectionOf, InspectQuery } from './inspection_types.js'
 * @import { Door, Versions } from './log.js'
 * @import { Transaction } from './transaction.js'
 * @import { RecordsByKind } from './record_types.js'
 * @import { ApplyResult, KubernetesObject, WatchEvent } from '../kubernetes/types.js'
 * @import { Answered } from './answers.js'
 * @import { Answer, ApplyOptions, Decision, EngineRecord, EvaluateOptions, Evaluation,
 *   SchedulerOptions, StartOptions, Turn } from './types.js'
 */

/**
 * One kube-scheduler with its cluster. `apply` puts objects in, `run` and `schedule` return
 * decisions, `evaluate` asks without changing anything. Created by `createScheduler`.
 */
export class Scheduler {
  #parts;
  #boundary;
  /** 0 is no valid handle. */
  #handle = 0;
  /** @type {SchedulerTime} */ #time;
  #limits;
  #disposed = false;
  #completer;
  #objects;
  /** @type {RecordStreams} */
  #streams;
  #extenders;
  #plugins;
  #performer;
  #decisions = new AwaitedDecisions();
  #disposal = new AbortController();
  /** The transaction that changes this scheduler. @type {Scheduler | undefined} */
  #inner;
  /** The scheduler that this transaction changes. @type {Scheduler | undefined} */
  #outer;

  /**
   * Called by Engine.
   * @param {{ door: Door, versions: Versions, forgotten: FinalizationRegistry<number>, options:
   *   SchedulerOptions, completer?: Completer, origin?: number, outer?: Scheduler }} parts
   *   `origin`: the handle of the scheduler that this one is a fork of; `outer`: the scheduler that
   *   this transaction changes in place
   */
  constructor({ door, versions, forgotten, options, completer, origin, outer }) {
    checkOptions(options);
    this.#parts = { door, versions, forgotten, options };
    const { log, seed } = options;
    this.#completer = completer ?? loggedCompleter(seed, (entry) => logged?.write(entry));
    const logged = log && new LoggedDoor(door, { log, versions, completer: this.#completer });
    this.#boundary = logged ?? door;
    this.#outer = outer;
    this.#streams = new RecordStreams(outer && outer.#streams);
    this.#time = new SchedulerTime(options, outer && outer.#time);
    this.#limits = { ...LIMITS, ...options.limits };
    this.#extenders = new Extenders(options);
    this.#performer = new Performer(this.#extenders, this.#complete.bind(this));
    this.#plugins = new PluginTurns(options, {
      boundary: this.#boundary,
      answers: this.#performer.answers,
      inspect: (/** @type {any} */ query) => this.inspect(query),
      apply: (line, settings) => this.apply(line, settings),
    });
    this.#objects = new StoredObjects((query) => this.inspect(query), this.#completer);
    if (outer) {
      this.#handle = outer.#handle;
      return;
    }
    const { declarations, call } = this.#plugins.host;
    const bridge = declarations.length > 0 ? call : null;
    this.#handle = origin
      ? this.#boundary.fork(origin, bridge)
      : this.#boundary.create(
          creationDocument(options, this.#limits, this.#now(), declarations),
          bridge,
        );
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

  /** The kube-scheduler release that decides here, such as `v1.36`. */
  get kubernetesVersion() {
    return this.#parts.versions.kubernetesVersion;
  }

  /**
   * Puts objects and watch events into the cluster. A bare object means "as it is now"; Lists are
   * taken apart. JavaScript values without `metadata.uid` are completed by `withDefaults` first;
   * text and bytes go to the engine unchanged. Bad items do not stop the others.
   * @param {KubernetesObject | WatchEvent | Iterable<KubernetesObject | WatchEvent> | string |
   *   Uint8Array | Scheduler} input another scheduler with `keepBatches`: all objects that it was
   *   given, in their order; errors of reading are not repeated, and a log cannot contain it
   * @param {ApplyOptions} [options]
   * @returns {ApplyResult}
   * @throws {BatchError} if items were bad and there is no `onError`, after all others were applied
   * @throws {DisposedError | InputError} the latter for bytes whose buffer was transferred
   */
  apply(input, options = {}) {
    const handle = this.#living();
    // Checked before completion: a refused call must not leave its classes behind.
    if (this.#boundary.isBusy) throw calledInside('apply');
    this.#plugins.giveCommands();
    /** @type {ApplyResult} */
    const result = { applied: 0, ignored: 0, errors: [], unknownKinds: [] };
    for (const batch of this.#batchesOf(input, options.format)) {
      if (batch.error) result.errors.push(batch.error);
      result.applied += batch.read ?? 0;
      if (!batch.parts) continue;
      const answer = this.#boundary.apply(handle, this.#now(), batch.format, batch.parts);
      addAnswer(result, JSON.parse(answer), batch.indexes);
    }
    this.#performer.answers.changes.notify();
    return settle(result, options.onError);
  }

  /** @param {Parameters<Scheduler['apply']>[0]} input @param {ApplyOptions['format']} format */
  #batchesOf(input, format) {
    if (input instanceof Scheduler) return [batchAgain(input.#parts, input.#living(), this.#parts)];
    const complete = this.#completer.complete.bind(this.#completer);
    return batchesOf(input, { format, limits: this.#limits, complete });
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
    return this.#objects.snapshot(this.kubernetesVersion);
  }

  /**
   * Takes a pod off its node and queues it as a new one. The host's API server is not informed.
   * @param {KubernetesObject | string} pod the whole pod, or its `namespace/name`
   * @throws {InputError} if the pod does not exist, is on no node, or cannot be read
   * @throws {DisposedError}
   */
  unbind(pod) {
    const whole = typeof pod === 'string' ? this.#objects.pod(pod) : pod;
    this.apply(unbindingOf(this.#completer.completePod(whole), this, this.#parts.options));
  }

  /**
   * Returns a scheduler in the same state, which goes on independently; `dispose` it. Both share
   * what neither changes. Binding cycles and evictions under way stay here: in the fork their pods
   * are assumed on their nodes. A fork has no log, and a virtual clock of its own.
   * @returns {Scheduler}
   * @throws {StowageError} `CycleInProgress` while a cycle waits for an extender
   */
  fork() {
    return new Scheduler({ ...this.#forked, origin: this.#living() });
  }

  /**
   * Calls `change` with a transaction, a scheduler that changes this one, and afterwards takes back
   * what was not committed. Until then this scheduler's own methods throw `TransactionOpen`. With a
   * log, plugins, answers under way, or while this is started, the transaction is a fork instead,
   * which cannot be committed.
   * @template T
   * @param {(transaction: Transaction) => T} change
   * @returns {T} what `change` returns
   * @throws {StowageError} `CycleInProgress` while a cycle waits for an extender
   */
  transaction(change) {
    const reason = this.#reasonForFork;
    return withTransaction(reason ? onFork(this.fork(), reason) : this.#begin(), change);
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
    if (this.#performer.isStarted) this.#performer.perform(turn);
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
    this.#complete([{ call: { id: callId }, answer }]);
  }

  /**
   * Runs turns until nothing more happens by itself: without `until` at the present time, with it
   * also through every deadline up to then, for which the clock sleeps. Extenders are called on the
   * way. Calls of kind `api` are performed while the scheduler is started; otherwise the caller
   * finds them in `records` and performs them.
   * @param {{ until?: Date | number, maxAttempts?: number, signal?: AbortSignal }} [options]
   * @returns {Promise<Decision[]>} all decisions of that period in their order, including those of
   *   turns that other callers ran
   * @throws {DisposedError | InputError} the latter for a bad option; and the signal's reason
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
    const step = (/** @type {number} */ maxCycles) => aroundTurn(() => this.#turn(maxCycles));
    await this.#performer.start(
      { step, clock: this.#time.clock, ...settings },
      { stop: signal, end: this.#disposal.signal },
    );
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
    const ask = this.#asking(pod, options);
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
    const perform = this.#extenders.perform.bind(this.#extenders);
    return JSON.parse(await answered(this.#asking(pod, options), perform, signal));
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
    this.#parts.forgotten.unregister(this);
    this.#disposal.abort(new DisposedError());
    this.#streams.end();
    this.#inner?.dispose();
    if (!this.#outer) this.#boundary.destroy(this.#handle);
    else if (this.#outer.#inner === this) this.#end('revert');
    this.#performer.end(new DisposedError());
  }

  /** For `using`. */
  [Symbol.dispose]() {
    this.dispose();
  }

  #living() {
    if (this.#disposed) throw new DisposedError();
    if (this.#inner) throw transactionOpen();
    return this.#handle;
  }

  /** What a fork or a transaction is made of. */
  get #forked() {
    const { log, ...options } = this.#parts.options;
    const clock = this.#time.forkedClock();
    return { ...this.#parts, options: { ...options, clock }, completer: this.#completer.copy() };
  }

  /** Why a transaction cannot change this scheduler in place, if so. */
  get #reasonForFork() {
    if (this.#parts.options.log) return 'in a scheduler with a log';
    if (this.#plugins.host.declarations.length > 0) return 'in a scheduler with plugins';
    if (this.#performer.isStarted) return 'in a scheduler that is started';
    return this.#performer.answers.size > 0 ? 'in a scheduler with answers under way' : undefined;
  }

  /** @returns {Transaction} */
  #begin() {
    this.#parts.door.transact(this.#living(), 'begin');
    const inner = new Scheduler({ ...this.#forked, outer: this });
    this.#inner = inner;
    return Object.assign(inner, { commit: () => inner.#commit(), revert: () => inner.dispose() });
  }

  #commit() {
    const outer = /** @type {Scheduler} */ (this.#living() && this.#outer);
    this.#end('commit');
    outer.#completer.adopt(this.#completer);
    outer.#time.advanceTo(this.#time);
    this.#streams.commit();
    this.dispose();
  }

  /** @param {'revert' | 'commit'} action */
  #end(action) {
    this.#parts.door.transact(this.#handle, action);
    /** @type {Scheduler} */ (this.#outer).#inner = undefined;
  }

  get #turns() {
    return {
      step: (/** @type {number} */ maxCycles) => this.#turn(maxCycles),
      ...this.#performer.parts,
      clock: this.#time.clock,
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

  /** @param {Answered[]} answers */
  #complete(answers) {
    this.apply(completionLines(answers), { format: 'lines' });
    this.#streams.publish(() => completionRecords(answers));
  }

  /**
   * @param {KubernetesObject | string} pod
   * @param {EvaluateOptions} options
   */
  #asking(pod, options) {
    return (/** @type {Map<string, Answer>} by the key of the call */ known) => {
      const handle = this.#living();
      const parts = questionParts(pod, options, known, this.#completer);
      return this.#boundary.evaluate(handle, this.#now(), parts);
    };
  }

  /** Microseconds since the epoch. Time stands still while plugins are called. */
  #now() {
    return this.#plugins.isInTurn ? this.#time.latest : this.#time.now();
  }
}
