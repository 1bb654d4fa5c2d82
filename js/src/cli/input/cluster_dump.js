/**
 * Removes the parts of `kubectl cluster-info dump` that are not objects. Counterpart: kubectl
 * v0.36, pkg/cmd/clusterinfo/clusterinfo_dump.go.
 */
import { UnreadableError } from '../terminal/problems.js';

const START = Buffer.from('==== START logs for container ');
const LINE_FEED = 0x0a;

/**
 * Returns the dump without the containers' logs between its documents. Only the line ends of a log
 * stay, so that line numbers stay the same.
 * @param {Uint8Array} bytes UTF-8, except for the logs
 * @returns {Uint8Array} the same bytes if there are no logs
 * @throws {UnreadableError} if a log has no end
 */
export function withoutLogs(bytes) {
  const dump = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** @type {Buffer[]} */
  const parts = [];
  let rest = 0;
  for (let start = logAt(dump, 0); start >= 0; start = logAt(dump, rest)) {
    const end = endOfLog(dump, start);
    parts.push(dump.subarray(rest, start), lineFeedsIn(dump, start, end));
    rest = end;
  }
  return rest === 0 ? bytes : Buffer.concat([...parts, dump.subarray(rest)]);
}

/**
 * Finds the next log: it starts at the beginning of a line, where no text of an object can be.
 * @param {Buffer} dump
 * @param {number} from
 */
function logAt(dump, from) {
  let at = dump.indexOf(START, from);
  while (at > 0 && dump[at - 1] !== LINE_FEED) at = dump.indexOf(START, at + 1);
  return at;
}

/**
 * Finds the end of a log: after the end marker of the same container, which follows the last line,
 * even if that has no line feed.
 * @param {Buffer} dump
 * @param {number} start
 */
function endOfLog(dump, start) {
  const endOfHead = dump.indexOf(LINE_FEED, start);
  const head = dump.toString('utf8', start, endOfHead < 0 ? dump.length : endOfHead);
  const foot = Buffer.from(head.trimEnd().replace('START', 'END'));
  const at = endOfHead < 0 ? -1 : dump.indexOf(foot, endOfHead);
  if (at >= 0) return at + foot.length;
  const line = lineFeedsIn(dump, 0, start).length + 1;
  throw new UnreadableError('the log that begins here has no end: the dump is cut off', line);
}

/**
 * @param {Buffer} dump
 * @param {number} start
 * @param {number} end
 */
function lineFeedsIn(dump, start, end) {
  return Buffer.from(dump.subarray(start, end).filter((byte) => byte === LINE_FEED));
}
