import { Answers } from './answers.js';
import { addAnswer, settle, unknownKind } from './apply_result.js';
import { AwaitedDecisions, decisionOf, isDecision } from './awaited_decisions.js';
import { batchesOf } from './batch.js';
import { calledInside } from './boundary.js';
import { answerFields } from './calls.js';
import { CallsUnderWay } from './calls_in_time.js';
import { milliseconds, virtualClock } from '../io/clock.js';
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
import { pause } from '../runtimes/pause.js';
import { systemClock } from '../runtimes/system_clock.js';
import { StoredObjects } from './stored_objects.js';
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

/** How many cycles `run` does unless told, and `schedule` does before it lets others work. */
const CYCLES_PER_TURN = 256;

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
  /** Of extenders, except while it is started. */
  #calls = new CallsUnderWay();
  #decisions = new AwaitedDecisions();
  #disposal = new AbortController();
  /** @type {Pump | undefined} */
  #pump;

  /**
   * Called by Engine.
   * @param {{ door: Door, versions: Versions, forgotten: FinalizationRegistry<number>, options:
   *   SchedulerOptions, completer?: Completer }} parts
   */
  constructor({ door, versions, forgotten, options, completer }) {
    checkOptions(options);
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
    this.#handle = boundary.create(
      creationDocument(options, this.#limits, this.#now(), declarations),
      declarations.length > 0 ? call : null,
    );
    forgotten.register(this, this.#handle, this);
  }

  /**
   * Chains all decisions: two schedulers with equal hashes decided the same, at the same times. Of
   * no decision: zeros.
   * @returns {string} hexadecimal digits
   * @throws {DisposedError}
   */
  get hash() {
    return this.inspect().hash;
  }

  /** What is allowed and surely not meant: a plugin that no profile enables. @returns {string[]} */
  get warnings() {
    return this.#plugins.host.idle.map(
      (name) => `plugin "${name}" is enabled in no profile of the configuration: it is never asked`,
    );
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
    // It would be refused after its objects were completed: nothing of it is to be left behind.
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
    this.#answers.news.tell();
    return settle(result, options.onError);
  }

  /**
   * Takes an object out of the cluster, as a DELETED event does.
   * @param {KubernetesObject} object of which `apiVersion`, `kind`, and in `metadata` the name, the
   *   namespace and a pod's uid are read; without a uid it is the pod of this name
   * @throws {InputError} when there is no such pod, or the engine does not read this kind
   * @throws {BatchError} when it names no object
   * @throws {DisposedError}
   */
  remove(object) {
    const { applied } = this.apply(removalOf(object, (pod) => this.inspect({ pod })));
    if (applied === 0) throw unknownKind(`${object.apiVersion}, Kind=${object.kind}`);
  }

  /**
   * All objects of a kind as they are now: as they came in, with what was decided since. Nodes come
   * in the order in which cycles visit them, pods in that of the queue, then those that are placed.
   * @param {string} kind such as `Pod`, or a resource such as `pods`
   * @returns {KubernetesObject[]}
   * @throws {InputError} when the engine does not read this kind, or keeps no objects
   * @throws {DisposedError}
   */
  list(kind) {
    return this.#objects.list(kind);
  }

  /**
   * One object as it is now.
   * @param {string} kind as `list` takes it
   * @param {string} name `namespace/name`, or the name alone of an object that is in no namespace
   *   or in `default`
   * @returns {KubernetesObject | undefined} undefined: there is none
   * @throws {InputError} as `list` does
   * @throws {DisposedError}
   */
  get(kind, name) {
    return this.#objects.get(kind, name);
  }

  /**
   * The cluster as it is now: what makes another scheduler hold the same when it is applied there.
   * Attempts and backoff are no part of it: the log is the whole state.
   * @returns {KubernetesObject} a List
   * @throws {InputError} when the engine keeps no objects
   * @throws {DisposedError}
   */
  snapshot() {
    return this.#objects.snapshot();
  }

  /**
   * Takes a pod off its node and queues it as a new one; the API server of a host hears nothing.
   * @param {KubernetesObject | string} pod the whole pod, or its `namespace/name`
   * @throws {InputError} when there is no such pod, it is on no node, or it cannot be read
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
   * One turn: as many cycles as allowed, in the order of the queue, at one fixed time. Its calls
   * are the caller's to perform, except while the scheduler is started.
   * @param {{ maxCycles?: number }} [options] default 256; Infinity: no bound
   * @returns {Turn}
   * @throws {InputError} when `maxCycles` is neither an integer ≥ 0 nor Infinity
   * @throws {DisposedError}
   */
  run({ maxCycles = CYCLES_PER_TURN } = {}) {
    const turn = this.#turn(maxCycles);
    if (this.#pump) this.#perform(turn);
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
    this.#complete({ id: callId }, answer);
  }

  /**
   * Turns until nothing moves by itself: without `until` at the present time, with it also through
   * every deadline up to then, for which the clock is asked to sleep. Extenders are asked on the
   * way; calls of kind `api` are performed while the scheduler is started, else they are the
   * caller's, who finds them in `records`.
   * @param {{ until?: Date | number, maxAttempts?: number, signal?: AbortSignal }} [options]
   * @returns {Promise<Decision[]>} in the order in which they were made; all of that time, also
   *   where somebody else's turn made them
   * @throws {DisposedError} and the signal's reason
   */
  async schedule({ until, maxAttempts = Infinity, signal } = {}) {
    const made = this.#decisions.gather();
    try {
      while (made.attempts < maxAttempts) {
        signal?.throwIfAborted();
        // A cycle that waits makes its decision beside those that are begun.
        const waiting = this.#decisions.isCycleWaiting ? 1 : 0;
        const left = maxAttempts - made.attempts - waiting;
        const turn = this.#turn(Math.min(CYCLES_PER_TURN, left));
        this.#perform(turn);
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
      return made.decisions;
    } finally {
      this.#decisions.end(made);
    }
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
    const awaited = this.#decisions.expect(pod);
    try {
      while (!awaited.outcome) {
        // Only a cycle of its own is begun here: commands come first, in their order.
        const turn = this.#turn(this.#decisions.isCycleWaiting ? 0 : 1);
        this.#perform(turn);
        if (awaited.outcome) break;
        if (turn.waiting && this.#answers.size > 0) await this.#answers.news.next();
        else if (turn.waiting || !turn.records.some(isDecision)) break;
      }
      return decisionOf(awaited);
    } finally {
      this.#decisions.end(awaited);
    }
  }

  /**
   * Keeps the scheduler going: turns of at most `budgetMs` with pauses for everyone else, calls
   * performed and their answers handed in, and sleep until the next deadline or until something
   * comes in. A virtual clock is moved on where nothing is under way. Meanwhile everything else can
   * be asked as ever; the calls of all turns are performed here.
   * @param {StartOptions} options
   * @returns {Promise<void>} resolved when the signal came, the scheduler was disposed of, or
   *   `until` is over; what is under way then is `aborted`, after the grace period of a signal
   * @throws {InputError} when an option is none, and a StowageError when it was started before
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
   * What the next cycle would do with a pod; nothing changes. A pod that is bound is asked as if it
   * had just been taken off its node.
   * @param {KubernetesObject | string} pod an object, completed where it lacks a name or a uid, or
   *   the `namespace/name` of one that is there
   * @param {EvaluateOptions} [options]
   * @returns {Evaluation}
   * @throws {InputError} when the pod cannot be read or is not there, when the object has nothing
   *   that a pod has, or `detail` is no such word
   * @throws {WaitError} when an extender has to be waited for
   * @throws {DisposedError}
   */
  evaluate(pod, options = {}) {
    const ask = (/** @type {Map<string, Answer>} */ known) => this.#ask(pod, options, known);
    return JSON.parse(answeredNow(ask, (call) => this.#extenders.performNow(call)));
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
    const ask = (/** @type {Map<string, Answer>} */ known) => this.#ask(pod, options, known);
    return JSON.parse(
      await answered(ask, (call, end) => this.#extenders.perform(call, end), signal),
    );
  }

  /**
   * Looks inside: `{}` the queues and all that is between them and the nodes, `{ cache: true }` the
   * same with the pods of each node, `{ waiting: true }` only the pods that wait in Permit,
   * `{ metrics: true }` the metrics, `{ node }` what a node holds, `{ pod }` where a pod is,
   * `{ madeUp: true }` what the simulated controllers of volumes made.
   * @template {InspectQuery} [Query={}]
   * @param {Query} [query]
   * @returns {InspectionOf<Query>}
   * @throws {InputError} when there is no such node or pod, or no metrics
   * @throws {DisposedError}
   */
  inspect(query) {
    return JSON.parse(this.#boundary.inspect(this.#living(), [JSON.stringify(query ?? {})]));
  }

  /**
   * The records of every turn from now on, also of those that `schedule` makes, and the answers
   * that are handed in or performed here. At most 10,000 wait for a slow reader; what it missed is
   * a `RecordsDropped` record, whatever the `kinds`. Ends with the signal or `dispose`.
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
   * Frees the engine's memory, from inside of a plugin as soon as the engine returns. Everything
   * asked afterwards throws DisposedError; a second time is fine.
   */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#forgotten.unregister(this);
    this.#disposal.abort(new DisposedError());
    this.#calls.end(new DisposedError());
    this.#streams.end();
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
    this.#streams.tell(() => recordsOf(turn));
    this.#decisions.tell(turn);
    return turn;
  }

  /**
   * @param {{ id: number, kind?: Call['kind'] }} call
   * @param {Answer} answer
   */
  #complete({ id, kind }, answer) {
    this.apply(JSON.stringify({ type: 'COMPLETION', call: id, ...answerFields(answer) }));
    // Calls to plugins stay here: nobody was told of them.
    if (kind !== 'plugin') this.#streams.tell(() => [completionRecord(id, answer)]);
  }

  /**
   * Performs the calls of a turn; their answers find their way in by themselves.
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

  /** Microseconds since the epoch; never less than before, whatever the host's clock does. */
  #now() {
    if (this.#plugins.isInTurn) return this.#latest;
    this.#latest = Math.max(this.#latest, microseconds(this.#clock.now()));
    return this.#latest;
  }
}
