/** The network and storage APIs of a worker, and their removal. */

/**
 * Each could send data out of the worker, store it, or receive data from other tabs and devices.
 */
export const DOORS = Object.freeze([
  ...['fetch', 'fetchLater', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport'],
  ...['EventSource', 'RTCPeerConnection', 'FontFace', 'fonts'],
  ...['importScripts', 'Worker', 'SharedWorker', 'ShadowRealm', 'BroadcastChannel'],
  ...['indexedDB', 'caches', 'cookieStore', 'localStorage', 'sessionStorage', 'sharedStorage'],
  ...['webkitRequestFileSystem', 'webkitRequestFileSystemSync'],
  ...['webkitResolveLocalFileSystemURL', 'webkitResolveLocalFileSystemSyncURL'],
  ...['FileSystemObserver', 'PressureObserver', 'IdleDetector', 'Notification'],
  // Storage, locks, service workers, devices and network information are all reached through it.
  'navigator',
]);

/**
 * Removes the APIs for all code in this worker, for good. The user trusts the plugins that run
 * here, but the data that they see must stay here.
 * @param {object} scope of the worker
 * @throws {TypeError} if one cannot be removed
 */
export function closeNetworkDoors(scope = globalThis) {
  for (const name of DOORS) {
    for (let owner = scope; owner; owner = Object.getPrototypeOf(owner))
      if (!Reflect.deleteProperty(owner, name)) throw new TypeError(`${name} stays open`);
    Object.defineProperty(scope, name, { value: undefined });
  }
}
