/** Sample plugins: the files of web/plugins. Each loads when it is chosen. */

const FILES = /** @type {Record<string, () => Promise<string>>} */ (
  import.meta.glob('../../../plugins/*.js', { query: '?raw', import: 'default' })
);

/** `id` is the file's name. @type {readonly { id: string, load: () => Promise<string> }[]} */
export const SAMPLES = Object.entries(FILES)
  .map(([path, load]) => ({ id: path.replace(/^.*\/|\.js$/g, ''), load }))
  .sort((a, b) => (a.id < b.id ? -1 : 1));
