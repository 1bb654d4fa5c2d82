/**
 * Reads all objects of a kind as the start of a watch. Sources: client-go/tools/cache/reflector.go
 * (watchList), v1.36; KEP-3157; "Streaming lists" of the Kubernetes API concepts.
 */
import { InputError, StowageError } from '../kubernetes/errors.js';
import { ApiError } from '../kubernetes/api_error.js';
import { endOfInitialEvents } from './watch_lines.js';

/**
 * @import { Feed } from './feed.js'
 * @import { TimedIterator } from './timed_iterator.js'
 */

/**
 * Hands the objects to the feed, up to the bookmark after them; the lines after it are left for the
 * next reader.
 * @param {TimedIterator<Uint8Array>} stream
 * @param {Feed} feed
 * @param {AbortSignal} signal
 * @returns {Promise<string>} the version of the objects
 * @throws {StowageError} ApiError, and others, if the stream ends before; the sink then keeps all
 *   objects
 */
export async function takeInitialEvents(stream, feed, signal) {
  for (let lines; (lines = await stream.next());) {
    if (stream.count === 1) await feed.begin(signal);
    const end = endOfInitialEvents(lines);
    const initial = end < 0 ? lines : lines.subarray(0, end);
    const { resourceVersion, status } = await feed.events(initial, signal);
    if (status) throw new ApiError(status);
    if (end < 0) continue;
    if (!resourceVersion) throw unversioned();
    await feed.end(resourceVersion, signal);
    if (end < lines.length) stream.unread(lines.subarray(end));
    return resourceVersion;
  }
  const message = 'the watch ended before its initial events did';
  throw new StowageError('InitialEventsMissing', message);
}

function unversioned() {
  const field = 'metadata.resourceVersion';
  return new InputError({ code: 'FieldValueRequired', field, detail: 'a bookmark has a version' });
}
