/** The scenarios that the page brings, each loaded when it is opened. */

/** `id` is the file's name. @typedef {{ id: string, load: () => Promise<string> }} Lesson */

/** Files of web/lessons, in their order. @type {readonly Lesson[]} */
export const LESSONS = loaders(
  import.meta.glob('../../lessons/*.yaml', { query: '?raw', import: 'default' }),
);

/** Files of web/clusters: places to begin, in which nothing happens by itself. */
export const CLUSTERS = loaders(
  import.meta.glob('../../clusters/*.yaml', { query: '?raw', import: 'default' }),
);

/** @param {string} id @returns {Lesson | undefined} */
export function lessonOf(id) {
  return [...LESSONS, ...CLUSTERS].find((lesson) => lesson.id === id);
}

/**
 * What a person reads: `03-anti-affinity-deadlock` is "3. Anti affinity deadlock".
 * @param {string} id
 */
export function lessonName(id) {
  const [, number, first, rest] = /^(?:(\d+)-)?(.)(.*)$/.exec(id) ?? ['', '', id, ''];
  const words = `${first.toUpperCase()}${rest.replaceAll('-', ' ')}`;
  return number ? `${Number(number)}. ${words}` : words;
}

/** @param {Record<string, unknown>} files @returns {Lesson[]} */
function loaders(files) {
  return Object.entries(/** @type {Record<string, () => Promise<string>>} */ (files))
    .map(([path, load]) => ({ id: path.replace(/^.*\/|\.yaml$/g, ''), load }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
