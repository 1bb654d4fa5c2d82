/** The scenarios that the page brings, each loaded when it is opened. */

/**
 * `id` is the file's name, `title` what its text says.
 * @typedef {{ id: string, title: string, load: () => Promise<string> }} Lesson
 */

/** Files of web/lessons, in their order. @type {readonly Lesson[]} */
export const LESSONS = loaders(
  import.meta.glob('../../lessons/*.yaml', { query: '?raw', import: 'default' }),
  import.meta.glob('../../lessons/*.yaml', { query: '?title', import: 'default', eager: true }),
);

/** Files of web/clusters: places to begin, in which nothing happens by itself. */
export const CLUSTERS = loaders(
  import.meta.glob('../../clusters/*.yaml', { query: '?raw', import: 'default' }),
  import.meta.glob('../../clusters/*.yaml', { query: '?title', import: 'default', eager: true }),
);

/** @param {string} id @returns {Lesson | undefined} */
export function lessonOf(id) {
  return [...LESSONS, ...CLUSTERS].find((lesson) => lesson.id === id);
}

/**
 * What a person reads: "Lesson 3 · Pod affinity pulls in both directions".
 * @param {Lesson} lesson
 */
export function lessonLabel({ id, title }) {
  const [, number] = /^(\d+)-/.exec(id) ?? [];
  return number ? `Lesson ${Number(number)} · ${title}` : title;
}

/**
 * @param {Record<string, unknown>} files
 * @param {Record<string, unknown>} titles
 * @returns {Lesson[]}
 */
function loaders(files, titles) {
  return Object.entries(/** @type {Record<string, () => Promise<string>>} */ (files))
    .map(([path, load]) => ({
      id: path.replace(/^.*\/|\.yaml$/g, ''),
      title: String(titles[path]),
      load,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
