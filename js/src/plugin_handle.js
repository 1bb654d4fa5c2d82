/** What a plugin is given to act with, at any time: inside of its methods and between them. */

/** @import { PluginHandle, WaitingPod } from './plugin_types.js' */

/**
 * What plugins need of their scheduler: a look inside, also from inside a call, and commands, which
 * it may put off until the engine has returned.
 * @typedef {{ inspect: (query: object) => any, command: (plugin: string, line: object) => void }}
 *   PluginEngine
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
      const { waiting } = inspect({ waiting: true });
      const found = waiting.find((/** @type {any} */ pod) => pod.uid === uid);
      return found && waitingPod(found, (line) => command(plugin, line));
    },
    activate(pods) {
      if (!Array.isArray(pods) || !pods.every(isPodName))
        throw new TypeError('activate takes a list of pods as namespace/name');
      if (pods.length > 0) command(plugin, { type: 'ACTIVATE', pods });
    },
  });
}

/**
 * @param {{ pod: string, uid: string, plugins: { plugin: string }[] }} found
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
