/**
 * A watch over a WebSocket, on which API servers send each event as a message. Browsers allow
 * hundreds of WebSockets to a host, but only six other connections.
 */
import { ConnectionError, urlOf } from '../../../js/src/informer.js';

/** @import { Query } from '../../../js/src/informer.js' */

/**
 * @param {string} baseUrl
 * @param {string} path
 * @param {Query} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<AsyncGenerator<Uint8Array, void, void> | undefined>} whole lines; undefined if
 *   the WebSocket could not be opened
 * @throws the signal's reason
 */
export async function watchBySocket(baseUrl, path, query, signal) {
  signal?.throwIfAborted();
  const url = urlOf(baseUrl.replace(/^http/, 'ws'), path, { ...query, watch: true });
  const socket = new WebSocket(url);
  signal?.addEventListener('abort', () => socket.close(), { once: true });
  const lines = linesOf(socket, `GET ${baseUrl}${path}`, signal);
  const isOpen = await new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(true), { once: true });
    socket.addEventListener('close', () => resolve(false), { once: true });
  });
  signal?.throwIfAborted();
  return isOpen ? lines : undefined;
}

/**
 * @param {WebSocket} socket
 * @param {string} about names the request
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
function linesOf(socket, about, signal) {
  /** @type {string[]} */
  let waiting = [];
  /** @type {CloseEvent | undefined} */
  let closed;
  let wake = () => {};
  socket.addEventListener('message', ({ data }) => {
    waiting.push(data.endsWith('\n') ? data : `${data}\n`);
    wake();
  });
  socket.addEventListener('close', (event) => {
    closed = event;
    wake();
  });
  return (async function* () {
    try {
      for (;;) {
        signal?.throwIfAborted();
        if (waiting.length > 0) {
          const lines = new TextEncoder().encode(waiting.join(''));
          waiting = [];
          yield lines;
        } else if (closed?.wasClean) {
          return;
        } else if (closed) {
          throw new ConnectionError('ConnectionReset', `${about}: the connection was lost`);
        } else {
          await new Promise((resolve) => (wake = () => resolve(undefined)));
        }
      }
    } finally {
      socket.close();
    }
  })();
}
