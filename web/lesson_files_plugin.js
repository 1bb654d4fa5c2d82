/** Puts the files that lessons name into the page, as chunks of their own, packed. */
import { lessonFiles } from './lessons/files.js';
import { packList } from './src/worker/packed_list.js';

const ALL = 'virtual:lesson-files';
const ONE = 'virtual:lesson-file/';
/** What Rollup wants of ids that are no files. */
const MARK = '\0';

/** @returns {import('vite').Plugin} */
export function lessonFilesPlugin() {
  const files = new Map(
    lessonFiles().map(({ name, text }) => [
      idOf(name),
      JSON.stringify(packList(JSON.parse(text).items)),
    ]),
  );
  const imports = lessonFiles().map(({ name }) => `'${name}': () => import('${idOf(name)}')`);
  return {
    name: 'lesson-files',
    resolveId: (id) => (id === ALL || id.startsWith(ONE) ? `${MARK}${id}` : null),
    load(id) {
      if (id === `${MARK}${ALL}`) return `export const FILES = { ${imports.join(', ')} };`;
      const text = files.get(id.replace(MARK, ''));
      // Engines read JSON faster than code.
      return text ? `export default JSON.parse(${JSON.stringify(text)});` : null;
    },
  };
}

/** Not ending in `.json`: it is a module. @param {string} name */
function idOf(name) {
  return `${ONE}${name.replace('.json', '')}`;
}
