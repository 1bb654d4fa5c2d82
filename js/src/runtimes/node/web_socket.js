/**
 * Serves watches over WebSockets as kube-apiserver does: each line of the response is a message.
 * Browser pages use them because browsers allow only six other connections per host. Source:
 * `HandleWS` in apiserver/pkg/endpoints/handlers/watch.go, v1.36, and RFC 6455.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { wholeLines } from '../../io/byte_lines.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Duplex } from 'node:stream'
 */

/** Of RFC 6455. */
const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 0x81;
/** A close frame with code 1000, normal closure. */
const CLOSE = Buffer.from([0x88, 2, 0x03, 0xe8]);

const LINE_FEED = 10;

/** @param {IncomingMessage} incoming */
export function isWebSocket({ method, headers }) {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    headers['sec-websocket-key'] !== undefined
  );
}

/**
 * Returns the response object for an upgrade request that gets a plain response.
 * @param {IncomingMessage} incoming
 * @param {Duplex} socket
 * @returns {ServerResponse}
 */
export function plainAnswer(incoming, socket) {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(/** @type {import('node:net').Socket} */ (socket));
  outgoing.on('finish', () => socket.end());
  return outgoing;
}

/**
 * Upgrades to a WebSocket and sends the lines with backpressure. It ends with the stream, or with
 * the first frame from the client, which can only be a close.
 * @param {IncomingMessage} incoming
 * @param {Duplex} socket
 * @param {ReadableStream<Uint8Array>} body cancelled when the client has gone
 * @returns {Promise<void>}
 * @throws {unknown} the errors of the body
 */
export async function sendMessages({ headers }, socket, body) {
  const key = `${headers['sec-websocket-key']}${KEY_SUFFIX}`;
  const accept = createHash('sha1').update(key).digest('base64');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
  const gone = new AbortController();
  const leave = () => gone.abort(new Error('the other side has gone'));
  for (const event of ['data', 'end', 'close', 'error']) socket.on(event, leave);
  try {
    for await (const lines of wholeLines(body, { signal: gone.signal }))
      if (!socket.write(framesOf(lines)))
        await once(socket, 'drain', { signal: gone.signal }).catch(() => {});
  } catch (cause) {
    if (cause !== gone.signal.reason) throw cause;
  } finally {
    socket.end(CLOSE);
  }
}

/** @param {Uint8Array} lines whole ones */
function framesOf(lines) {
  const frames = [];
  for (let at = 0; at < lines.length;) {
    const end = lines.indexOf(LINE_FEED, at) + 1;
    frames.push(frameHead(end - at), lines.subarray(at, end));
    at = end;
  }
  return Buffer.concat(frames);
}

/** @param {number} length of the message: bytes */
function frameHead(length) {
  if (length < 126) return Buffer.from([TEXT, length]);
  if (length < 65_536) {
    const head = Buffer.from([TEXT, 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.from([TEXT, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
