/** Writes a scenario that contains what the user did, besides what it contained before. */
import { Document, isMap, isSeq, parseAllDocuments } from 'yaml';

import { StowageError } from '../../../js/src/index.js';
import { durationText } from '../../../js/src/kubernetes.js';
import { parse, YAML_OPTIONS } from '../../../js/src/manifests.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Action } from '../world/world.js'
 * @import { Done } from './moves.js'
 * @import { Scenario, ScenarioStep } from './scenario.js'
 */

/** Parsed as manifests are, so that each value keeps its type. */
const YAML = Object.freeze({ ...YAML_OPTIONS, uniqueKeys: false });

/** @typedef {Done & { isIdle: boolean }} Passed `isIdle`: nothing was to be decided behind it */

/**
 * A chapter as it was written, or an action that it did not contain; then `cycles`, which are
 * absent if the chapter's own number was run, or as many as it took.
 * @typedef {{ chapter?: number, action?: Action, cycles?: number }} Piece
 */

/**
 * A scenario that leads to the same state when it is played to its end. It keeps the comments of
 * the original.
 * @param {{ text: string, scenario: Scenario, chapters: readonly ScenarioStep[], passed: readonly
 *   Passed[] }} parts `text` is the original
 * @returns {string} YAML; `text` itself if it was played to its end and nothing else was done
 * @throws {StowageError} if an action has no form in a scenario
 */
export function writtenScenario({ text, scenario, chapters, passed }) {
  const pieces = piecesOf(passed, chapters);
  const isAsWritten = pieces.every(
    ({ chapter, cycles }, at) => chapter === at && cycles === undefined,
  );
  if (isAsWritten && pieces.length === chapters.length) return text;
  const document = documentOf(text);
  const first = pieces[0]?.chapter === 0 ? pieces[0] : undefined;
  if (!first) for (const name of ['objects', 'cycles']) document.delete(name);
  else if (first.cycles !== undefined) document.set('cycles', first.cycles);
  const steps = document.get('steps', true);
  const written = isSeq(steps) ? steps.items : [];
  const items = pieces.slice(first ? 1 : 0).map(({ chapter, action, cycles }) => {
    const counted = cycles !== undefined && { cycles };
    if (chapter === undefined)
      return document.createNode({
        ...(action && stepOf(action, scenario.startTime)),
        ...counted,
      });
    const item = written[chapter - 1];
    if (isMap(item) && counted) item.set('cycles', cycles);
    return item;
  });
  if (items.length === 0) document.delete('steps');
  else if (isSeq(steps)) steps.items = items;
  else document.set('steps', items);
  return document.toString({ lineWidth: 0 });
}

/**
 * @param {readonly Passed[]} passed
 * @param {readonly ScenarioStep[]} chapters
 * @returns {Piece[]}
 */
function piecesOf(passed, chapters) {
  /** @type {Piece[]} */
  const pieces = [];
  for (let at = 0; at < passed.length;) {
    const chapter = wholeChapterAt(passed, at, chapters);
    const { action } = passed[at];
    const isBare = chapter === undefined && action.do === 'step';
    const from =
      chapter === undefined ? at + Number(!isBare) : at + chapters[chapter].actions.length;
    at = from;
    while (passed[at]?.action.do === 'step') at += 1;
    const cycles = countedCycles(passed, from, at, chapters[chapter ?? -1]?.cycles);
    pieces.push({
      ...(chapter !== undefined && { chapter }),
      ...(chapter === undefined && !isBare && { action }),
      ...(cycles !== undefined && { cycles }),
    });
  }
  return pieces;
}

/**
 * @param {readonly Passed[]} passed
 * @param {number} from the first of the cycles
 * @param {number} to the position after the last
 * @param {number} [written] the chapter's own number of cycles
 */
function countedCycles(passed, from, to, written) {
  const count = to - from;
  if (written !== undefined) return count === 0 ? undefined : written + count;
  const firstIdle = passed.findIndex(({ isIdle }, at) => at >= from - 1 && isIdle);
  return firstIdle === to - 1 ? undefined : count;
}

/**
 * @param {readonly Passed[]} passed
 * @param {number} at
 * @param {readonly ScenarioStep[]} chapters
 * @returns {number | undefined} the chapter, if it was played there from its beginning to its end
 */
function wholeChapterAt(passed, at, chapters) {
  if (passed[at].isOwn) return undefined;
  const chapter = chapterOf(passed[at]);
  // The initial objects cannot come later.
  if (chapter === 0 && at > 0) return undefined;
  const { length } = chapters[chapter].actions;
  const run = passed.slice(at, at + length);
  const isWhole =
    run.length === length &&
    run.every((one) => !one.isOwn && chapterOf(one) === chapter) &&
    run[length - 1].next === 0;
  return isWhole ? chapter : undefined;
}

/** The chapter to which an entry belongs. @param {Passed} passed */
function chapterOf({ chapter, next }) {
  return next === 0 ? chapter - 1 : chapter;
}

/**
 * An action as a step of a scenario.
 * @param {Action} action
 * @param {number} startTime
 * @returns {object}
 * @throws {StowageError}
 */
function stepOf(action, startTime) {
  switch (action.do) {
    case 'apply':
      return { apply: action.objects };
    case 'delete':
      return { delete: action.objects };
    case 'patch':
      return { patch: patchedObject(action) };
    case 'evict':
      return { evict: action.pods };
    case 'scheduleOne':
      return { scheduleOne: action.pod };
    case 'advance':
      return { at: exactDuration(Math.max(0, action.to - startTime)) };
    case 'wait':
      return { advance: exactDuration(action.for) };
    case 'configure':
      return { configure: action.scheduler };
    default: {
      const { do: name } = /** @type {Action} */ (action);
      const message = `a scenario has no field for "${name}"; use a link`;
      throw new StowageError('NotWritable', message);
    }
  }
}

/**
 * Turns a merge patch into the object form: only the fields that change.
 * @param {Extract<Action, { do: 'patch' }>} action
 */
function patchedObject({ object, patch, subresource = '' }) {
  const { apiVersion, kind, namespace, name } = object;
  const { metadata = {}, status, ...rest } = /** @type {KubernetesObject} */ (patch);
  const names = { ...(namespace && { namespace }), name };
  if (subresource === 'status') return { apiVersion, kind, metadata: names, status };
  if (subresource !== '') {
    const message = `a scenario cannot change the subresource ${subresource}; use a link`;
    throw new StowageError('NotWritable', message);
  }
  return { ...rest, apiVersion, kind, metadata: { ...metadata, ...names } };
}

/**
 * A duration in whole numbers, so that it parses to the same value.
 * @param {number} ms
 */
function exactDuration(ms) {
  const rest = ms % 1000;
  if (rest === 0) return durationText(ms);
  return `${ms < 1000 ? '' : durationText(ms - rest)}${rest}ms`;
}

/**
 * JSON has no comments to keep, so it is written as YAML.
 * @param {string} text
 */
function documentOf(text) {
  const isJson = text.trimStart().startsWith('{');
  const found = isJson
    ? undefined
    : parseAllDocuments(text, YAML).find(
        (document) => 'get' in document && document.get('kind') === 'Scenario',
      );
  return found ?? new Document(parse(text)[0], YAML);
}
