/** Scenarios in the hash of a URL: JSON, deflated, in base64url. */
import { InputError } from '../../../js/src/index.js';

/** The most bytes that a link may decompress to: about what the browser stores when compressed. */
const LARGEST = 64 << 20;

/**
 * @param {unknown} value plain data
 * @returns {Promise<string>} letters, digits, `-` and `_`
 * @throws {InputError} TooLarge, as `fromHash` would
 */
export async function toHash(value) {
  const json = new TextEncoder().encode(JSON.stringify(value));
  if (json.length > LARGEST) throw tooLarge();
  const packed = await bytesOf(piped(json, new CompressionStream('deflate-raw')));
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * @param {string} hash the result of `toHash`
 * @returns {Promise<any>}
 * @throws {InputError} if the link is truncated or something else
 */
export async function fromHash(hash) {
  try {
    const binary = atob(hash.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const json = await bytesOf(piped(packed, new DecompressionStream('deflate-raw')));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    const detail = 'the link is truncated, or this page did not create it';
    throw new InputError({ code: 'MalformedJson', detail }, { cause });
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @returns {ReadableStream<Uint8Array>}
 */
function piped(bytes, stream) {
  const body = /** @type {BodyInit} */ (/** @type {unknown} */ (bytes));
  const whole = /** @type {ReadableStream} */ (new Response(body).body);
  return whole.pipeThrough(/** @type {any} */ (stream));
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @throws {InputError} TooLarge
 */
async function bytesOf(stream) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next; !(next = await reader.read()).done;) {
    size += next.value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(next.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function tooLarge() {
  return new InputError({ code: 'TooLarge', detail: 'the link is too large when decompressed' });
}
