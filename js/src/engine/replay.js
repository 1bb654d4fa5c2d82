/** Creates a scheduler from a log: replays the inputs and compares the hashes of the decisions. */
import { digestOfOutput, readTurn } from './turn.js';
import { virtualClock } from '../io/clock.js';
import { Completer } from './completer.js';
import {
  ConfigurationError,
  EngineError,
  InputError,
  ReplayError,
  StowageError,
} from '../kubernetes/errors.js';
import { digestOf, lastDecision, unwritten } from './log.js';
import { LogLines } from './log_lines.js';
import { releaseOf } from '../kubernetes/release.js';
import { recordsOf } from './records.js';

/**
 * @import { Output } from './boundary.js'
 * @import { Door } from './log.js'
 * @import { LogSource } from './log_lines.js'
 * @import { Plugin } from '../plugins/types.js'
 * @import { Scheduler } from './scheduler.js'
 * @import { EngineRecord, ReplayOptions, SchedulerOptions } from './types.js'
 */

/**
 * The parts that a scheduler is made of here.
 * @typedef {{ door: Door, completer: Completer, options: SchedulerOptions }} Parts
 */

/**
 * @param {LogSource} log
 * @param {{ door: Door, stowage: string, open: (parts: Parts) => Scheduler }} engine
 * @param {ReplayOptions} options
 * @returns {Promise<Scheduler>} the scheduler as of the end of the log, or of line `until`
 * @throws {ReplayError} if the log cannot be read, the engine decides otherwise, or `plugins` are
 *   not those of the log, or `kubernetesVersion` is not its release
 * @throws {InputError} if `until` is not an integer from 1
 * @throws {EngineError} if the engine stops itself, as it may have then
 */
export async function replayLog(log, { door, stowage, open }, options) {
  const { until = Infinity, kubernetesVersion, onRecord, extenders, fetch, plugins } = options;
  checkUntil(until);
  const lines = new LogLines(log);
  /** @type {Scheduler | undefined} */
  let scheduler;
  try {
    const header = headerOf(await lines.take(), kubernetesVersion);
    checkPlugins(plugins, header);
    const player = new Player({ door, header, stowage, onRecord });
    const own = { extenders, fetch, plugins };
    scheduler = open({ ...player.parts, options: { ...player.parts.options, ...own } });
    for (let next = await lines.peek(); next && next.line <= until; next = await lines.peek())
      await player.play(lines);
    player.release();
    return scheduler;
  } catch (cause) {
    scheduler?.dispose();
    throw cause;
  } finally {
    await lines.close();
  }
}

/**
 * Player is the door of a scheduler that is being replayed: it passes the log's lines to the
 * engine, and answers plugin calls with the logged answers.
 * @implements {Door}
 */
class Player {
  #door;
  #header;
  #comparesOutput;
  #onRecord;
  #handle = 0;
  #clock;
  #completer;
  /** The plugins' answers during the replayed call; null after the replay. */
  #answers = /** @type {[string, string][] | null} */ ([]);
  /** The number of questions in that call that the log has no answer to. */
  #unknown = 0;

  /**
   * @param {{ door: Door, header: any, stowage: string, onRecord?: (record: EngineRecord) =>
   *   void }} parts
   */
  constructor({ door, header, stowage, onRecord }) {
    this.#door = door;
    this.#header = header;
    // Another version may word its output differently, but its decisions must be the same.
    this.#comparesOutput = header.stowage === stowage;
    this.#onRecord = onRecord;
    this.#clock = virtualClock(header.startTime / 1000);
    this.#completer = new Completer({ seed: header.seed });
  }

  /** @returns {Parts} */
  get parts() {
    const { configuration, kubernetesVersion, seed, limits, api } = this.#header;
    const own = { configuration, kubernetesVersion, seed, limits, api };
    const options = { ...own, clock: this.#clock };
    return { door: this, completer: this.#completer, options };
  }

  get failure() {
    return this.#door.failure;
  }

  get isBusy() {
    return this.#door.isBusy;
  }

  /**
   * Creates the scheduler that the log describes; the first parameter is ignored.
   * @param {unknown} _
   * @param {((request: string) => string) | null} code of the plugins, if given
   */
  create(_, code) {
    const { stowage, startTime, configuration, ...options } = this.#header;
    const line = JSON.stringify({ ...options, startTimeUs: startTime });
    const answer = (/** @type {string} */ request) => this.#answer(request, code?.(request));
    const bridge = options.plugins?.length > 0 ? answer : null;
    try {
      this.#handle = this.#door.create([line, '\n', configuration], bridge);
    } catch (cause) {
      if (!isOfRelease(cause)) throw cause;
      throw new ReplayError({ code: 'LogVersion', line: 1, detail: cause.message });
    }
    return this.#handle;
  }

  /** @type {Door['fork']} */
  fork(...args) {
    return this.#door.fork(...args);
  }

  /** @type {Door['transact']} */
  transact(...args) {
    this.#door.transact(...args);
  }

  /** @param {number} handle */
  destroy(handle) {
    this.#door.destroy(handle);
  }

  /** @type {Door['apply']} */
  apply(...args) {
    this.#needPlugins();
    return this.#door.apply(...args);
  }

  /** @type {Door['run']} */
  run(...args) {
    this.#needPlugins();
    return this.#door.run(...args);
  }

  /** @type {Door['evaluate']} */
  evaluate(...args) {
    return this.#door.evaluate(...args);
  }

  /** @type {Door['inspect']} */
  inspect(...args) {
    return this.#door.inspect(...args);
  }

  /** Ends the replay: from now on inputs come from the scheduler's owner. */
  release() {
    this.#answers = null;
  }

  /**
   * Replays one input, with the result lines that belong to it.
   * @param {LogLines} lines
   */
  async play(lines) {
    const { line, entry } = /** @type {import('./log_lines.js').LogLine} */ (await lines.take());
    const { now, named, priorityClass, storageClass } = entry;
    const appliedClass = priorityClass ?? storageClass;
    if (appliedClass) this.#completer.complete(appliedClass, entry.change);
    else if (Number.isInteger(named)) this.#completer.named = named;
    else if (!Number.isSafeInteger(now))
      throw new ReplayError({ code: 'LogMalformed', line, detail: 'this line is not an input' });
    else await this.#playInput(lines, line, entry);
  }

  /**
   * @param {LogLines} lines
   * @param {number} line
   * @param {any} entry
   */
  async #playInput(lines, line, entry) {
    const { now, run, apply } = entry;
    this.#clock.advanceTo(now / 1000);
    this.#answers = (await following(lines, 'answers'))?.answers ?? [];
    this.#unknown = 0;
    if (Number.isInteger(run)) {
      const output = this.#door.run(this.#handle, now, run);
      this.#checkAnswers(line, await lines.peek());
      this.#emit(output);
      await this.#compare(lines, line, output);
    } else if (apply === 'lines' || apply === 'document') {
      this.#applyAgain(now, apply, entry);
      this.#checkAnswers(line, await lines.peek());
    } else {
      throw new ReplayError({ code: 'LogMalformed', line, detail: 'this line is not an input' });
    }
  }

  /**
   * An input that the engine refused then must be refused again.
   * @param {number} now
   * @param {'document' | 'lines'} format
   * @param {any} entry
   */
  #applyAgain(now, format, entry) {
    try {
      this.#door.apply(this.#handle, now, format, [unwritten(entry)]);
    } catch (cause) {
      if (!(cause instanceof StowageError) || cause instanceof EngineError) throw cause;
    }
  }

  /**
   * @param {LogLines} lines
   * @param {number} line
   * @param {Output} output
   */
  async #compare(lines, line, output) {
    const next = await lines.peek();
    if (next === null || next.fault) return; // the log was cut off here
    const logged = (await following(lines, 'hash')) ?? (await following(lines, 'output'));
    const decided = lastDecision(output.text);
    if (logged?.hash !== decided?.hash || logged?.seq !== decided?.seq)
      throw new ReplayError({
        code: 'Diverged',
        line,
        seq: logged?.seq ?? decided?.seq,
        expected: logged?.hash,
        actual: decided?.hash,
      });
    if (this.#comparesOutput) compareOutput(line, logged?.output, output);
  }

  /** @param {Output} output */
  #emit(output) {
    if (!this.#onRecord) return;
    for (const record of recordsOf(readTurn(output))) this.#onRecord(record);
  }

  /**
   * Answers a plugin's question from the log. After one question that the log lacks, no later
   * logged answer fits any more.
   * @param {string} request
   * @param {string} [present] the answer of the given plugins' code, which sees every question
   *   again; it counts only after the replay
   */
  #answer(request, present) {
    if (this.#answers === null && present !== undefined) return present;
    const [digest, answer] = this.#answers?.[0] ?? [];
    if (this.#unknown === 0 && digest === digestOf(request)) {
      this.#answers?.shift();
      return String(answer);
    }
    this.#unknown += 1;
    if (request.includes('"point":"queueingHint"')) return '{"hint":"Queue"}';
    const message = 'a replay has no plugins, only their answers';
    return JSON.stringify({ status: { code: 'Error', message } });
  }

  /**
   * @param {number} line
   * @param {import('./log_lines.js').LogLine | null} next null at the end of the log: its writer
   *   may have ended there as well
   */
  #checkAnswers(line, next) {
    const left = this.#answers?.length ?? 0;
    if (this.#unknown === 0 && left === 0) return;
    if (next?.fault && left === 0) throw next.fault;
    if (next === null && left === 0)
      throw new ReplayError({
        code: 'LogTruncated',
        line,
        detail: 'the answers of plugins are missing',
      });
    const actual = this.#unknown > 0 ? 'others' : `${left} fewer`;
    throw new ReplayError({
      code: 'Diverged',
      line,
      expected: 'the same questions to plugins',
      actual,
    });
  }

  #needPlugins() {
    if (!(this.#header.plugins?.length > 0)) return;
    throw new ReplayError({
      code: 'PluginsMissing',
      detail: 'a replay has no plugins, only their answers: it can only evaluate and inspect',
    });
  }
}

/**
 * Consumes and returns the next line if it has this field.
 * @param {LogLines} lines
 * @param {string} field
 */
async function following(lines, field) {
  const next = await lines.peek();
  if (next?.entry[field] === undefined) return undefined;
  await lines.take();
  return next.entry;
}

/**
 * @param {number} line
 * @param {string | undefined} expected older logs lack it
 * @param {Output} output
 */
function compareOutput(line, expected, output) {
  if (expected === undefined) return;
  const actual = digestOfOutput(output);
  if (actual === expected) return;
  const what = 'the replay diverges in output that is not a decision';
  const detail = `${what}: expected the output ${expected}, got ${actual}`;
  throw new ReplayError({ code: 'Diverged', line, detail, expected, actual });
}

/**
 * Whether the engine does not support the release of a log.
 * @param {unknown} error
 * @returns {error is ConfigurationError}
 */
function isOfRelease(error) {
  return error instanceof ConfigurationError && error.errors[0]?.field === 'kubernetesVersion';
}

/**
 * @param {import('./log_lines.js').LogLine | null} first
 * @param {string | undefined} expected the release that its scheduler must have had
 */
function headerOf(first, expected) {
  const line = 1;
  const { apiVersion, kind, ...header } = first?.entry ?? {};
  if (kind !== 'Log' || !Number.isSafeInteger(header.startTime))
    throw new ReplayError({
      code: 'LogMalformed',
      line,
      detail: 'this is not the log of a scheduler',
    });
  if (apiVersion !== 'stowage/v1')
    throw new ReplayError({
      code: 'LogVersion',
      line,
      detail: `the log has version ${apiVersion}, this code reads stowage/v1`,
    });
  const release = expected === undefined ? header.kubernetesVersion : releaseOf(expected);
  if (header.kubernetesVersion !== release)
    throw new ReplayError({
      code: 'LogVersion',
      line,
      detail: `the log is from ${header.kubernetesVersion}, not from ${release}`,
    });
  return header;
}

/**
 * @param {Plugin[] | undefined} given
 * @param {{ plugins?: { name: string }[] }} header
 */
function checkPlugins(given, { plugins = [] }) {
  if (given === undefined) return;
  const names = (/** @type {{ name: string }[]} */ all) => all.map(({ name }) => name).join(', ');
  if (names(given) === names(plugins)) return;
  const detail = `the log has the plugins [${names(plugins)}], given are [${names(given)}]`;
  throw new ReplayError({ code: 'PluginsMissing', detail });
}

/** @param {unknown} until */
function checkUntil(until) {
  if (until === Infinity || (Number.isInteger(until) && Number(until) >= 1)) return;
  throw new InputError({
    code: 'FieldValueInvalid',
    field: 'until',
    value: until,
    detail: `the number of a line, from 1, is expected, not ${String(until)}`,
  });
}
