/** What a worker can reach the outside with, and an end to it. */

/** Each would carry data out of the tab, or keep it there. */
const DOORS = [
  ...['fetch', 'fetchLater', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport'],
  ...['EventSource', 'RTCPeerConnection', 'importScripts', 'Worker', 'SharedWorker'],
  ...['BroadcastChannel', 'indexedDB', 'caches', 'cookieStore', 'Notification'],
];

/**
 * Takes them away from all code of this worker, for good: plugins of a person are no less trusted
 * than the person, but what they see stays here. `import` of this site's own files remains.
 * @param {object} scope of the worker
 */
export function closeNetworkDoors(scope = globalThis) {
  for (const name of DOORS) {
    for (let owner = scope; owner; owner = Object.getPrototypeOf(owner))
      if (Object.hasOwn(owner, name)) Reflect.deleteProperty(owner, name);
    Object.defineProperty(scope, name, { value: undefined });
  }
}
