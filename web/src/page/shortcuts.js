/** Keyboard shortcuts for buttons. */
import { signal } from '@preact/signals';

/** @import { Session } from './session.js' */

/**
 * @typedef {object} Shortcut
 * @property {string} key as `KeyboardEvent.key` says it
 * @property {string} name the name for people
 * @property {string} does
 * @property {(session: Session) => unknown} run
 */

/** @type {readonly Shortcut[]} */
export const SHORTCUTS = [
  { key: 'n', name: 'n', does: 'The next step of the scenario', run: next },
  { key: ' ', name: 'Space', does: 'Play or pause', run: playOrPause },
  { key: 's', name: 's', does: 'One scheduling cycle', run: step },
  { key: 'j', name: 'j', does: 'Wait until the next deadline', run: (session) => session.wait() },
  { key: '[', name: '[', does: 'Back a step', run: (session) => session.back() },
  { key: ']', name: ']', does: 'Forward a step', run: (session) => session.forward() },
  { key: '/', name: '/', does: 'Search nodes and pods', run: search },
  { key: '?', name: '?', does: 'Show these keys', run: showHelp },
];

/** Whether shortcuts are enabled. Users who dictate, or hit keys by accident, can disable them. */
export const areKeysOn = signal(true);

/** Elements in which letters are text. */
const TEXTS = 'input, textarea, select, [contenteditable], .cm-editor, dialog';
/** Elements that Space activates. */
const PRESSED = 'button, summary, a';

/**
 * Listens to the page's keys.
 * @param {Session} session
 * @returns {() => void} ends it
 */
export function listenToKeys(session) {
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (!areKeysOn.value || event.defaultPrevented || ctrlKey || metaKey || altKey) return;
    const element = target instanceof Element ? target : document.body;
    if (element.closest(TEXTS) || (key === ' ' && element.closest(PRESSED))) return;
    const shortcut = SHORTCUTS.find((one) => one.key === key);
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(session);
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}

/** @param {Session} session */
function next(session) {
  return session.isAtEnd.value ? undefined : session.next();
}

/** @param {Session} session */
function playOrPause(session) {
  const { playback } = session;
  return playback.isPlaying.value ? playback.pause() : playback.play();
}

/** @param {Session} session */
function step(session) {
  return session.isIdle.value ? undefined : session.step();
}

function search() {
  /** @type {HTMLInputElement | null} */ (document.querySelector('.search input'))?.focus();
}

function showHelp() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog.keys'));
  dialog?.showModal();
}
