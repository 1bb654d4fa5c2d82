/**
 * An HTTP server that plays recorded exchanges of a real kube-apiserver v1.36. It cuts answers in
 * pieces, is slow, and breaks off where a test wants it to.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';

/** @import { Exchange } from './playback_server.js' */

/**
 * How an answer's bytes are sent: `cut` into pieces (default: one), each in a turn of the event
 * loop of its own; `before` each piece, by its number in the exchange, there may be something to
 * wait for; `breakAt`: the connection is torn after so many bytes.
 * @typedef {object} Manner
 * @property {(bytes: Buffer) => Buffer[]} [cut]
 * @property {(piece: number, exchange: Exchange) => Promise<void>} [before]
 * @property {number} [breakAt]
 */

/** @typedef {{ path: string, query: Record<string, string>, isWatch: boolean }} Asked */

/** Pieces of one length. @param {number} size @returns {NonNullable<Manner['cut']>} */
export function inPieces(size) {
  return (bytes) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
}

/**
 * One byte a piece in the first and the last 4 KB, and pieces of 61 bytes between them: in what
 * joins them again a piece is as good as any other, and each write is a turn of the event loop.
 *
 * @param {Buffer} bytes @returns {Buffer[]}
 */
export function inBytes(bytes) {
  const edge = 4096;
  if (bytes.length <= 3 * edge) return inPieces(1)(bytes);
  const [start, end] = [edge, bytes.length - edge];
  return [
    ...inPieces(1)(bytes.subarray(0, start)),
    ...inPieces(61)(bytes.subarray(start, end)),
    ...inPieces(1)(bytes.subarray(end)),
  ];
}

/** One piece a line. @param {Buffer} bytes @returns {Buffer[]} */
export function inLines(bytes) {
  const pieces = [];
  for (let from = 0, end; from < bytes.length; from = end) {
    end = bytes.indexOf('\n', from) + 1 || bytes.length;
    pieces.push(bytes.subarray(from, end));
  }
  return pieces;
}

/** @param {Buffer} bytes @returns {Buffer[]} */
export function inHalves(bytes) {
  const half = bytes.length >> 1;
  return [bytes.subarray(0, half), bytes.subarray(half)];
}

/** Lines by the objects that are in them. @type {WeakMap<object, Buffer>} */
const lines = new WeakMap();

/** @param {object} value */
function lineOf(value) {
  if (!lines.has(value)) lines.set(value, Buffer.from(`${JSON.stringify(value)}\n`));
  return /** @type {Buffer} */ (lines.get(value));
}

/** The body of an exchange as it came: of a watch one line a frame. @param {Exchange} exchange */
export function bodyOf({ frames, response: { body } }) {
  const values = frames ? frames.map(({ frame }) => frame) : [body];
  return Buffer.concat(values.map(lineOf));
}

/**
 * The stream without frames that have the type and the length of an earlier one: no cut falls
 * differently into those.
 *
 * @param {Exchange} exchange
 * @returns {Exchange}
 */
export function distinctFrames(exchange) {
  const seen = new Set();
  const frames = (exchange.frames ?? []).filter(({ frame }) => {
    const key = `${frame.type} ${lineOf(frame).length}`;
    return !seen.has(key) && seen.add(key);
  });
  return { ...exchange, frames };
}

/**
 * The same watch, from a version on, as a server continues one.
 * @param {Exchange} exchange
 * @param {string} resourceVersion
 * @returns {Exchange}
 */
export function watchFrom(exchange, resourceVersion) {
  const frames = exchange.frames ?? [];
  const versionOf = (/** @type {any} */ { frame }) => frame.object.metadata.resourceVersion;
  const seen = frames.findLastIndex((frame) => versionOf(frame) === resourceVersion);
  return { ...exchange, frames: frames.slice(seen + 1) };
}

/** A refusal to send objects as a stream, in a real server's words. @type {Exchange} */
export const WITHOUT_WATCH_LIST = {
  request: { method: 'GET', path: '' },
  response: {
    status: 422,
    body: {
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
      message:
        'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: ' +
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      reason: 'Invalid',
      details: { group: 'meta.k8s.io', kind: 'ListOptions' },
      code: 422,
    },
  },
};

/**
 * Serves what `answer` says; undefined: the request hangs. Watches that are played to their end
 * stay open until `ends`.
 * @param {(asked: Asked) => (Manner & { exchange: Exchange, ends?: Promise<void> }) | undefined}
 *   answer
 */
export async function serveRecorded(answer) {
  /** @type {Asked[]} */
  const asked = [];
  const server = createServer(async (request, response) => {
    await request.toArray();
    const url = new URL(String(request.url), 'http://api');
    const query = Object.fromEntries(url.searchParams);
    const question = { path: url.pathname, query, isWatch: query.watch === 'true' };
    asked.push(question);
    const played = answer(question);
    if (!played) return;
    await send(response, played);
    if (played.breakAt !== undefined) response.socket?.end();
    else if (!played.exchange.frames || (await isOver(played.ends))) response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * What was sent arrives, also where the connection is torn afterwards.
 * @param {import('node:http').ServerResponse} response
 * @param {Manner & { exchange: Exchange }} played
 */
async function send(response, { exchange, cut = (bytes) => [bytes], before, breakAt }) {
  const { status, headers = {} } = exchange.response;
  const body = bodyOf(exchange);
  response.socket?.setNoDelay(true);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...(headers['content-length'] && { 'Content-Length': body.length }),
    ...(headers['retry-after'] && { 'Retry-After': headers['retry-after'] }),
  });
  response.flushHeaders();
  for (const [index, piece] of cut(body.subarray(0, breakAt)).entries()) {
    await before?.(index, exchange);
    if (response.destroyed) return;
    response.write(piece);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** @param {Promise<void> | undefined} ends undefined: never */
async function isOver(ends) {
  await ends;
  return ends !== undefined;
}
