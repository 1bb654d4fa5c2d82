/** The handle by which a plugin acts at any time, in its methods and between them. */

/** @import { PluginHandle, WaitingPod } from './types.js' */

/**
 * The engine's view of a pod that waits in Permit.
 * @typedef {{ pod: string, uid: string, plugins: { plugin: string, deadline: unknown }[] }} Wait
 */

/**
 * A plugin's request: a line, and the wait that it concerns, if any.
 * @typedef {{ plugin: string, line: object, wait?: Wait }} Command
 */

/**
 * The parts of a scheduler that plugins need: `inspect`, which works inside a call as well, and a
 * function that carries out their requests, if necessary after the engine has returned.
 * @typedef {{ inspect: (query: object) => any, command: (command: Command) => void }} PluginEngine
 */

/**
 * @param {PluginEngine} engine
 * @param {string} plugin
 * @param {string} schedulerName
 * @returns {PluginHandle}
 */
export function makeHandle({ inspect, command }, plugin, schedulerName) {
  return Object.freeze({
    schedulerName,
    getWaitingPod(uid) {
      const wait = waitOf(uid, inspect({ waiting: true }).waiting);
      return wait && waitingPod(wait, (line) => command({ plugin, line, wait }));
    },
    activate(pods) {
      if (!Array.isArray(pods) || !pods.every(isPodName))
        throw new TypeError('activate takes a list of pods as namespace/name');
      if (pods.length > 0) command({ plugin, line: { type: 'ACTIVATE', pods } });
    },
  });
}

/**
 * Whether a command concerns a wait that is over: it must not affect a later wait of the same pod.
 * @param {Command} command
 * @param {Wait[]} waiting the present waits
 */
export function isTooLate({ wait }, waiting) {
  if (!wait) return false;
  const now = waitOf(wait.uid, waiting);
  const isKnown = (/** @type {Wait['plugins'][0]} */ { plugin, deadline }) =>
    wait.plugins.some((one) => one.plugin === plugin && one.deadline === deadline);
  return !now?.plugins.every(isKnown);
}

/**
 * @param {string} uid
 * @param {Wait[]} waiting
 */
function waitOf(uid, waiting) {
  return waiting.find((wait) => wait.uid === uid);
}

/**
 * @param {Wait} wait
 * @param {(line: object) => void} command
 * @returns {WaitingPod}
 */
function waitingPod({ pod, uid, plugins }, command) {
  return Object.freeze({
    pod,
    plugins: plugins.map(({ plugin }) => plugin),
    allow: (/** @type {string} */ plugin) =>
      command({ type: 'ALLOW_WAITING_POD', uid, plugin: checkedText(plugin, "a plugin's name") }),
    reject: (/** @type {string} */ plugin, /** @type {string} */ message) =>
      command({
        type: 'REJECT_WAITING_POD',
        uid,
        plugin: checkedText(plugin, "a plugin's name"),
        message: checkedText(message, 'a message'),
      }),
  });
}

/** @param {unknown} value @param {string} what */
function checkedText(value, what) {
  if (typeof value === 'string') return value;
  throw new TypeError(`${what} must be a string, not ${String(value)}`);
}

/** @param {unknown} value */
function isPodName(value) {
  return typeof value === 'string' && /^[^/]+\/[^/]+$/.test(value);
}
