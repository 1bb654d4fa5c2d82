/** Answers over HTTP. */
import { ApiError } from '../api_error.js';
import { StowageError } from '../errors.js';
import { wordsOf } from '../values.js';
import { internalError } from './status_errors.js';

const HEADERS = { 'Cache-Control': 'no-cache, private' };

/**
 * @param {string} text
 * @param {{ status?: number, warnings?: string[], headers?: Record<string, string> }} [options]
 */
export function jsonResponse(text, { status = 200, warnings = [], headers = {} } = {}) {
  const response = new Response(text, {
    status,
    headers: { ...HEADERS, 'Content-Type': 'application/json', ...headers },
  });
  for (const warning of warnings) response.headers.append('Warning', warningText(warning));
  return response;
}

/**
 * A refusal as the Status that it is. What is none is a fault of the server, and said to be one.
 * @param {unknown} error
 */
export function errorResponse(error) {
  const status = statusOf(error);
  const retryAfter = status.details?.retryAfterSeconds;
  return jsonResponse(JSON.stringify(status), {
    status: status.code,
    headers: retryAfter ? { 'Retry-After': String(retryAfter) } : {},
  });
}

/**
 * @param {string} text
 * @param {number} [status]
 */
export function textResponse(text, status = 200) {
  const headers = { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' };
  return new Response(text, { status, headers });
}

/** @param {unknown} error */
function statusOf(error) {
  if (error instanceof ApiError || error instanceof StowageError) return error.toStatus();
  return internalError(wordsOf(error)).toStatus();
}

/** RFC 7234, 5.5: code 299, no agent. @param {string} text */
function warningText(text) {
  const plain = text.replace(/[^\x20-\x7e]/g, ' ');
  return `299 - "${plain.replace(/[\\"]/g, '\\$&')}"`;
}
