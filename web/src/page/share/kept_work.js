/** Stores the user's work in the browser and offers it again when something else is open. */
import { effect, signal } from '@preact/signals';

import { FIRST_POSITION } from '../session.js';
import { isLesson, linkOf, openHash } from './sharing.js';

/** @import { Session } from '../session.js' */

/**
 * `at`: when it was stored; `link`: the hash that leads to the same state.
 * @typedef {{ id: string, title: string, steps: number, at: string, link: string }} Work
 */

const STORED = 'stowage-work';

/** The most entries that are stored. */
const MOST = 5;

/** The delay after the last step: milliseconds. */
const PAUSE = 500;

/** The latest first. */
export const works = signal(/** @type {readonly Work[]} */ ([]));

/** The id of the entry that is open. */
export const openWork = signal('');

/** Whether the browser has no room for the open work. */
export const isTooLarge = signal(false);

/** True while an entry opens: its intermediate states are not stored. */
let isReturning = false;

/** Stores the session's work from now on. @param {Session} session */
export function keepWork(session) {
  works.value = stored();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const keep = async () => {
    clearTimeout(timer);
    const isUntouched = session.length.peek() <= FIRST_POSITION && isLesson(session.source.peek());
    if (isReturning || session.live.peek() || isUntouched) return;
    await put(session);
  };
  session.beforeOpening = () => keep().catch(() => {});
  effect(() => {
    void session.opened.value;
    isTooLarge.value = false;
    if (!isReturning) openWork.value = newId();
  });
  effect(() => {
    void [session.hash.value, session.position.value, session.length.value];
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A request under way will change the state again.
      if (!session.isBusy.peek()) void keep().catch(() => {});
    }, PAUSE);
    void session.isBusy.value;
  });
}

/**
 * Opens an entry in the state in which it was stored.
 * @param {Session} session
 * @param {Work} work
 */
export async function returnToWork(session, work) {
  await session.beforeOpening();
  isReturning = true;
  try {
    await openHash(session, work.link);
    openWork.value = work.id;
  } finally {
    isReturning = false;
  }
}

/** @param {Work} work */
export function forgetWork(work) {
  store(stored().filter(({ id }) => id !== work.id));
}

function newId() {
  return `${Date.now()} ${Math.random()}`;
}

/** @param {Session} session */
async function put(session) {
  const id = openWork.peek();
  const [title, steps] = [session.title.peek(), session.length.peek()];
  const link = await session
    .query((playground) => linkOf(session, playground))
    .catch(({ code }) => void (isTooLarge.value ||= code === 'TooLarge'));
  // What the address leads to is not lost.
  if (!link || link === location.hash) return;
  const work = { id, title, steps, at: new Date().toISOString(), link };
  // Another tab may have stored entries meanwhile.
  const others = stored().filter((one) => one.id !== id && one.link !== link);
  isTooLarge.value = !store([work, ...others].slice(0, MOST));
}

/**
 * Stores as many entries as there is room for, the first ones.
 * @param {readonly Work[]} wanted
 * @returns {boolean} false: there is no room for one, and what was stored before stays
 */
function store(wanted) {
  for (let count = wanted.length; count >= Math.min(1, wanted.length); count -= 1) {
    const kept = wanted.slice(0, count);
    try {
      localStorage.setItem(STORED, JSON.stringify(kept));
      works.value = kept;
      return true;
    } catch {
      // There is no room for so many.
    }
  }
  return false;
}

/** @returns {Work[]} */
function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isWork) : [];
  } catch {
    // Storage is disabled, or another script wrote the entry.
    return [];
  }
}

/** @param {any} value */
function isWork(value) {
  const texts = ['id', 'title', 'at', 'link'];
  return texts.every((name) => typeof value?.[name] === 'string') && Number.isInteger(value.steps);
}
