/** Plays a scenario on an engine and records all of its output. */
import { encodeLines, RefusedError } from '../support/raw_engine.js';
import { allNodes } from './scenario.js';

/** @import { RawEngine, RawScheduler } from '../support/raw_engine.js' */
/** @import { Scenario, Step } from './scenario.js' */

/** The time of the first step. */
const START_US = 1_770_000_000_000_000;

/**
 * Options that may change only speed and length.
 *
 * @typedef {object} Manner
 * @property {import('../support/raw_engine.js').VerdictCacheMode} [verdictCache]
 * @property {'summary' | 'nodes'} [detail]
 * @property {boolean} [asks] whether evaluations are requested; default true
 */

/**
 * @typedef {object} Transcript
 * @property {string[]} turns results of batches and turns, by step
 * @property {string[]} answers  to questions
 * @property {{evaluation: string, turn: string}[]} foretold evaluations of a pod that is then
 *   scheduled, with the turn of that
 * @property {{summary: string, nodes: string}[]} askedTwice the answers to one question
 */

const decoder = new TextDecoder();

/**
 * @param {RawEngine} engine
 * @param {Scenario} scenario
 * @param {Manner} [manner]
 * @returns {Transcript}
 */
export function play(engine, scenario, { asks = true, ...manner } = {}) {
  const scheduler = engine.createScheduler({
    ...scenario.options,
    startTimeUs: START_US,
    ...manner,
  });
  const beginning = [...allNodes(scenario), ...scenario.stored];
  const nodes = said(() => scheduler.applyText(encodeLines(beginning), START_US));
  /** @type {Transcript} */
  const transcript = { turns: [nodes], answers: [], foretold: [], askedTwice: [] };
  let nowUs = START_US;
  /** @type {string[]} */
  const pods = [];
  for (const step of scenario.steps) {
    nowUs += step.advanceUs;
    pods.push(...podsOf(step));
    const pod = step.asked === undefined ? undefined : pods[step.asked % pods.length];
    playStep(scheduler, { scenario, step, pod, nowUs, asks }, transcript);
  }
  scheduler.dispose();
  return transcript;
}

/**
 * @param {RawScheduler} scheduler
 * @param {{scenario: Scenario, step: Step, pod?: string, nowUs: number, asks: boolean}} moment
 * @param {Transcript} transcript
 */
function playStep(scheduler, { scenario, step, pod, nowUs, asks }, transcript) {
  const { turns, answers } = transcript;
  turns.push(said(() => scheduler.applyText(encodeLines(step.events), nowUs)));
  if (asks && step.question) {
    const { question } = step;
    answers.push(said(() => scheduler.evaluateText(question, scenario.stranger, nowUs)));
    answers.push(said(() => scheduler.inspectText({})));
    transcript.askedTwice.push(askTwice(scheduler, {}, scenario.stranger, nowUs));
  }
  if (pod !== undefined) {
    // Pending calls are answered before an evaluation.
    turns.push(said(() => decoder.decode(scheduler.runBytes(nowUs, 0))));
    const evaluation = asks ? said(() => scheduler.evaluateText({ pod }, null, nowUs)) : '';
    if (asks) transcript.askedTwice.push(askTwice(scheduler, { pod }, null, nowUs));
    const command = encodeLines([{ type: 'SCHEDULE_ONE', pod }]);
    turns.push(said(() => scheduler.applyText(command, nowUs)));
    const turn = said(() => decoder.decode(scheduler.runBytes(nowUs, 1)));
    turns.push(turn);
    if (asks) {
      answers.push(evaluation);
      transcript.foretold.push({ evaluation, turn });
    }
  }
  turns.push(said(() => decoder.decode(scheduler.runBytes(nowUs, step.cycles))));
}

/**
 * Evaluates in summary, which uses the cache, and node by node, which does not.
 * @param {RawScheduler} scheduler
 * @param {object} question
 * @param {object | null} pod
 * @param {number} nowUs
 */
function askTwice(scheduler, question, pod, nowUs) {
  const ask = (/** @type {'summary' | 'nodes'} */ detail) =>
    said(() => scheduler.evaluateText({ ...question, classify: true, detail }, pod, nowUs));
  return { summary: ask('summary'), nodes: ask('nodes') };
}

/** `namespace/name` of the pods that a step adds. @param {Step} step */
function podsOf({ events }) {
  return events.flatMap((/** @type {any} */ event) => {
    const object = event.object ?? event;
    const isPod = object.kind === 'Pod' && event.type !== 'DELETED' && object.spec !== undefined;
    return isPod ? [`${object.metadata.namespace}/${object.metadata.name}`] : [];
  });
}

/** The engine's output, even if it is a refusal. @param {() => string} ask */
function said(ask) {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RefusedError) return `refused: ${error.message}`;
    throw error;
  }
}
