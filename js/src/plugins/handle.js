/** What a plugin is given to act with, at any time: inside of its methods and between them. */

/** @import { PluginHandle, WaitingPod } from './types.js' */

/**
 * What the engine says of a pod that waits in Permit.
 * @typedef {{ pod: string, uid: string, plugins: { plugin: string, deadline: unknown }[] }} Wait
 */

/**
 * What a plugin asks for: a line, and the wait that it is about, if it is about one.
 * @typedef {{ plugin: string, line: object, wait?: Wait }} Command
 */

/**
 * What plugins need of their scheduler: a look inside, also from inside a call, and somebody who
 * does what they ask for, if need be when the engine has returned.
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
 * Whether a command is about a wait that is over: what is said of it then must not meet the next
 * wait of the same pod.
 * @param {Command} command
 * @param {Wait[]} waiting those that wait now
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
