/** The scenarios that come with the page. Each loads when it is opened. */

/**
 * `id` is the file's name, `title` comes from its text.
 * @typedef {{ id: string, title: string, load: () => Promise<string> }} Lesson
 */

/** The files of web/lessons, in order. @type {readonly Lesson[]} */
export const LESSONS = loaders(
  import.meta.glob('../../lessons/*.yaml', { query: '?raw', import: 'default' }),
  import.meta.glob('../../lessons/*.yaml', { query: '?title', import: 'default', eager: true }),
);

/** The files of web/clusters: starting points without steps. */
export const CLUSTERS = loaders(
  import.meta.glob('../../clusters/*.yaml', { query: '?raw', import: 'default' }),
  import.meta.glob('../../clusters/*.yaml', { query: '?title', import: 'default', eager: true }),
);

/** @param {string} id @returns {Lesson | undefined} */
export function lessonOf(id) {
  return [...LESSONS, ...CLUSTERS].find((lesson) => lesson.id === id);
}

/**
 * The lesson's name for people: "Lesson 3 · Pod affinity pulls in both directions".
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
