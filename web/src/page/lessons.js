/** The lessons: files of web/lessons, each loaded when it is opened. */

const FILES = /** @type {Record<string, () => Promise<string>>} */ (
  import.meta.glob('../../lessons/*.yaml', { query: '?raw', import: 'default' })
);

/** @typedef {{ id: string, load: () => Promise<string> }} Lesson */

/** In their order; `id` is the file's name. @type {readonly Lesson[]} */
export const LESSONS = Object.entries(FILES)
  .map(([path, load]) => ({ id: path.replace(/^.*\/|\.yaml$/g, ''), load }))
  .sort((a, b) => (a.id < b.id ? -1 : 1));

/**
 * What a person reads: `03-anti-affinity-deadlock` is "3. Anti affinity deadlock".
 * @param {string} id
 */
export function lessonName(id) {
  const [number, first, ...rest] = id.split('-');
  return `${Number(number)}. ${first[0].toUpperCase()}${[first.slice(1), ...rest].join(' ')}`;
}
