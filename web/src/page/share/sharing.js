/** Links: encode what is open as the hash of a URL, and open what a hash holds. */
import { packedLink, readLink } from '../../scenario/link.js';
import { portionsOf } from '../../scenario/moves.js';
import { plainError } from '../../worker/plain_errors.js';
import { LESSONS, lessonOf } from '../lessons.js';

/**
 * @import { Look, Shared } from '../../scenario/link.js'
 * @import { RemotePlayground, Session } from '../session.js'
 */

/** Cycles that are repeated between two updates of the page. */
const UNSEEN_CYCLES = 200;

/** The latest request; it cancels earlier ones. */
let wanted = 0;

/**
 * @param {Session} session
 * @returns {Promise<string | null>} a URL's hash that opens the present state; null on an error
 */
export async function linkTo(session) {
  /** @type {string | null} */
  let link = null;
  const write = async (/** @type {RemotePlayground} */ playground) => {
    link = await linkOf(session, playground);
  };
  await session.ask(write, { keepsTime: true });
  return link;
}

/**
 * The same at once, without waiting for other requests.
 * @param {Session} session
 * @param {RemotePlayground} playground
 */
export async function linkOf(session, playground) {
  const { text, moves, position, hash } = await playground.history();
  const lesson = await unchangedLesson(session, text);
  const scenario = lesson === undefined ? text : undefined;
  const look = lookOf(session);
  return `#share=${await packedLink({ lesson, scenario, moves, position, hash, look })}`;
}

/**
 * Opens what a hash holds; without one, the first lesson.
 * @param {Session} session
 * @param {string} hash
 */
export async function openHash(session, hash) {
  wanted += 1;
  const mine = wanted;
  const isStill = () => mine === wanted;
  const [, kind, value] = /^#(lesson|share)=(.*)$/s.exec(hash) ?? [];
  if (kind === 'share') return openShared(session, value, isStill);
  const name = hash.length <= 1 ? LESSONS[0].id : kind === 'lesson' ? value : hash;
  if (!isLesson(name)) return refuse(session, new Error(`there is no lesson ${name}`));
  await openLesson(session, name, isStill);
}

/**
 * Goes to a hash with an entry in the browser's history.
 * @param {Session} session
 * @param {string} hash
 */
export function visit(session, hash) {
  // The browser reports no change if the hash stays the same, but something else may be open.
  if (location.hash === hash) openHash(session, hash);
  else location.hash = hash;
}

/**
 * @param {Session} session
 * @param {string} packed
 * @param {() => boolean} isStill wanted
 */
async function openShared(session, packed, isStill) {
  /** @type {Shared} */
  let shared;
  try {
    shared = await readLink(packed);
  } catch (error) {
    return isStill() ? refuse(session, error) : undefined;
  }
  if (!isStill()) return;
  const { lesson, scenario = '', moves } = shared;
  if (lesson !== undefined && !isLesson(lesson))
    return refuse(session, new Error(`the link cannot be opened: there is no lesson ${lesson}`));
  const isOpen = await (lesson === undefined
    ? session.open(scenario, 'link')
    : openLesson(session, lesson, isStill));
  if (!isStill()) return;
  if (!isOpen) return refuse(session, session.fault.value);
  await session.ask(async (playground) => {
    // Opening the scenario is its first move.
    const isOther = moves[0] !== 'next';
    if (isOther) await session.show(await playground.goTo(0));
    for (const portion of portionsOf(isOther ? moves : moves.slice(1), UNSEEN_CYCLES)) {
      if (!isStill()) return;
      await session.show(await playground.make(portion));
    }
    if (shared.position !== session.position.value)
      await session.show(await playground.goTo(shared.position));
  });
  if (isStill()) await lookAgain(session, shared);
}

/**
 * Restores the selection.
 * @param {Session} session
 * @param {Shared} shared
 */
async function lookAgain(session, { hash, look: { pod, decision = -1, node } }) {
  session.selectNode(node ?? null);
  const { attempt } = decisionsOf(session)[decision] ?? {};
  if (pod !== undefined) await session.selectPod(pod, attempt);
  if (hash === session.hash.value) return;
  const [was, is] = [hash, session.hash.value].map((one) => one.slice(0, 8) || 'none');
  const hashes = `the hash of all decisions was ${was} there and is ${is} here`;
  const message = `this page decides differently from the one that created the link: ${hashes}`;
  await tell(session, new Error(message));
}

/**
 * @param {Session} session
 * @returns {Look}
 */
function lookOf(session) {
  const chosen = session.isFollowing.value ? null : session.selectedPod.value;
  const { pod, attempt } = chosen ?? {};
  const node = session.selectedNode.value ?? undefined;
  if (attempt === undefined) return { pod, node };
  return { pod, node, decision: decisionsOf(session).findIndex((row) => row.attempt === attempt) };
}

/** @param {Session} session */
function decisionsOf(session) {
  return session.rows.value.filter(({ kind }) => kind === 'Decision');
}

/**
 * The lesson with this text, if it is an open one.
 * @param {Session} session
 * @param {string} text
 */
async function unchangedLesson(session, text) {
  const lesson = lessonOf(session.source.value);
  return lesson && (await lesson.load()) === text ? lesson.id : undefined;
}

/** @param {string} name */
export function isLesson(name) {
  return lessonOf(name) !== undefined;
}

/**
 * @param {Session} session
 * @param {string} name
 * @param {() => boolean} isStill whether the request is still wanted after the download
 */
async function openLesson(session, name, isStill = () => true) {
  const lesson = lessonOf(name) ?? LESSONS[0];
  try {
    const text = await lesson.load();
    return isStill() && session.open(text, lesson.id);
  } catch (error) {
    return isStill() && tell(session, error);
  }
}

/**
 * Shows the error. What was open stays open; if there is nothing, a lesson opens.
 * @param {Session} session
 * @param {unknown} error
 */
async function refuse(session, error) {
  if (session.source.value === '') await openLesson(session, LESSONS[0].id);
  await tell(session, error);
}

/**
 * @param {Session} session
 * @param {unknown} error
 */
function tell(session, error) {
  return session.ask(async () => {
    throw error instanceof Error ? plainError(error) : error;
  });
}
