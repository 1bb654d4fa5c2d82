/**
 * Summarizes the watch events that informers bring to a scheduler. Parsing all of them a second
 * time would be slow.
 */

/**
 * Consecutive watch events of one type.
 * @typedef {object} Watched
 * @property {'WatchEvents'} kind
 * @property {string} type `ADDED`, `MODIFIED`, `DELETED`
 * @property {string} objectKind `Pod`
 * @property {number} count
 * @property {string[]} names of the first few objects, `namespace/name` or `name`
 * @property {string[]} versions the resourceVersions of these
 */

/** The most objects that are named for each row of events. */
export const MOST_NAMED = 5;

/** The most objects of a batch whose names are read. */
const MOST_READ = 50;

const LINE_FEED = 10;
const START = [...'{"type":"'].map((letter) => letter.charCodeAt(0));

/** By the first letter of the type, which follows START. */
const TYPES = new Map([
  ['A'.charCodeAt(0), 'ADDED'],
  ['M'.charCodeAt(0), 'MODIFIED'],
  ['D'.charCodeAt(0), 'DELETED'],
]);

/**
 * @param {Uint8Array} lines of a watch of one resource; bookmarks and others that change nothing
 *   are skipped
 * @returns {Watched[]} in their order
 */
export function watchedIn(lines) {
  /** @type {Watched[]} */
  const all = [];
  let read = 0;
  for (let begin = 0; begin < lines.length;) {
    const feed = lines.indexOf(LINE_FEED, begin);
    const end = feed < 0 ? lines.length : feed + 1;
    const type = typeOf(lines, begin);
    if (type) {
      const last = runOf(all, type);
      last.count += 1;
      if (last.names.length < MOST_NAMED && read < MOST_READ) {
        read += 1;
        name(last, lines.subarray(begin, end));
      }
    }
    begin = end;
  }
  return all;
}

/**
 * @param {Uint8Array} lines
 * @param {number} begin
 */
function typeOf(lines, begin) {
  if (START.some((byte, index) => lines[begin + index] !== byte)) return undefined;
  return TYPES.get(lines[begin + START.length]);
}

/**
 * The last entry if it is of this type, or a new one.
 * @param {Watched[]} all
 * @param {string} type
 */
function runOf(all, type) {
  const last = all.at(-1);
  if (last?.type === type) return last;
  const objectKind = last?.objectKind ?? '';
  /** @type {Watched} */
  const next = { kind: 'WatchEvents', type, objectKind, count: 0, names: [], versions: [] };
  all.push(next);
  return next;
}

/**
 * @param {Watched} run
 * @param {Uint8Array} line
 */
function name(run, line) {
  const { kind, metadata } = JSON.parse(new TextDecoder().decode(line)).object;
  run.objectKind = kind;
  run.versions.push(metadata.resourceVersion ?? '');
  run.names.push(metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name);
}
