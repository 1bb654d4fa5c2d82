/** What a worker can reach the outside with, and an end to it. */

/** Each would carry data out of the worker, keep it, or let it hear of other tabs and devices. */
export const DOORS = Object.freeze([
  ...['fetch', 'fetchLater', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport'],
  ...['EventSource', 'RTCPeerConnection', 'FontFace', 'fonts'],
  ...['importScripts', 'Worker', 'SharedWorker', 'ShadowRealm', 'BroadcastChannel'],
  ...['indexedDB', 'caches', 'cookieStore', 'localStorage', 'sessionStorage', 'sharedStorage'],
  ...['webkitRequestFileSystem', 'webkitRequestFileSystemSync'],
  ...['webkitResolveLocalFileSystemURL', 'webkitResolveLocalFileSystemSyncURL'],
  ...['FileSystemObserver', 'PressureObserver', 'IdleDetector', 'Notification'],
  // Storage, locks, service workers, devices, what the network is like: all hang on it.
  'navigator',
]);

/**
 * Takes them away from all code of this worker, for good: plugins of a person are no less trusted
 * than the person, but what they see stays here.
 * @param {object} scope of the worker
 * @throws {TypeError} where one cannot be taken away
 */
export function closeNetworkDoors(scope = globalThis) {
  for (const name of DOORS) {
    for (let owner = scope; owner; owner = Object.getPrototypeOf(owner))
      if (!Reflect.deleteProperty(owner, name)) throw new TypeError(`${name} stays open`);
    Object.defineProperty(scope, name, { value: undefined });
  }
}
