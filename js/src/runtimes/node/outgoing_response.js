/** Sends a Response over HTTP. */

/**
 * @import { ServerResponse } from 'node:http'
 * @import { PlainResponse } from '../../io/plain_http.js'
 */

/** Statuses without a body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * Sends the body with backpressure; if the client goes away, the body is cancelled.
 * @param {ServerResponse} outgoing
 * @param {Response} response
 * @param {{ isHead: boolean }} options
 * @returns {Promise<void>} resolved when all is written, or the client has gone
 * @throws {unknown} the errors of the body
 */
export async function send(outgoing, response, { isHead }) {
  const { status, headers, body } = response;
  if (outgoing.destroyed) return void (await body?.cancel());
  outgoing.statusCode = status;
  for (const [name, value] of headers) if (name !== 'set-cookie') outgoing.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('Set-Cookie', cookies);
  if (!body || isHead || WITHOUT_BODY.includes(status)) {
    await body?.cancel();
    outgoing.end();
    return;
  }
  await sendStream(outgoing, body);
}

/**
 * @param {ServerResponse} outgoing
 * @param {PlainResponse} response
 * @param {{ isHead: boolean }} options
 * @returns {Promise<void>} as `send`
 * @throws {unknown} the errors of the body
 */
export async function sendPlain(outgoing, { status, headers, content, body }, { isHead }) {
  if (outgoing.destroyed) return void (await body?.cancel());
  if (body && !isHead) {
    outgoing.writeHead(status, headers.all);
    await sendStream(outgoing, body);
    return;
  }
  await body?.cancel();
  const length = body ? {} : { 'content-length': lengthOf(content ?? '') };
  outgoing.writeHead(status, { ...headers.all, ...length });
  if (typeof content !== 'string' || isHead) outgoing.end(isHead ? undefined : content);
  else endWithText(outgoing, content);
}

/**
 * Node writes the head and a text together, and bytes apart. end() with the text would also write
 * an empty end, and hand both to the socket as a list, which costs more than one text.
 * @param {ServerResponse} outgoing
 * @param {string} text
 */
function endWithText(outgoing, text) {
  const { socket } = outgoing;
  socket?.cork();
  outgoing.write(text);
  socket?.uncork();
  outgoing.end();
}

/** @param {string | Uint8Array} content */
function lengthOf(content) {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}

/**
 * Chunks that come while the process handles what it has received are written together: the events
 * of a watch come one by one.
 * @param {ServerResponse} outgoing
 * @param {ReadableStream<Uint8Array>} body
 */
async function sendStream(outgoing, body) {
  const reader = body.getReader();
  const hold = holding(outgoing);
  const stop = () => void reader.cancel(new Error('the other side has gone')).catch(() => {});
  outgoing.once('close', stop);
  try {
    // A watch's client must see the beginning of the response, even before the first event.
    outgoing.flushHeaders();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      hold();
      if (!outgoing.write(value)) await drained(outgoing);
    }
    outgoing.end();
  } finally {
    outgoing.off('close', stop);
    reader.cancel().catch(() => {});
  }
}

/**
 * Returns a function that holds what is written next, until the process has handled what it has
 * received.
 * @param {ServerResponse} outgoing
 */
function holding({ socket }) {
  let isHeld = false;
  return () => {
    if (isHeld) return;
    isHeld = true;
    socket?.cork();
    setImmediate(() => {
      isHeld = false;
      socket?.uncork();
    });
  };
}

/** @param {ServerResponse} outgoing @returns {Promise<void>} */
function drained(outgoing) {
  return new Promise((resolve) => {
    const events = ['drain', 'close'];
    const done = () => {
      for (const event of events) outgoing.off(event, done);
      resolve();
    };
    for (const event of events) outgoing.on(event, done);
  });
}
