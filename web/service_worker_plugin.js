/** Writes the service worker next to the page, with the list of the files that it keeps. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const CODE = new URL('src/offline/service_worker.js', import.meta.url);

/** Of the file, which is never kept by itself. */
const NAME = 'sw.js';

/**
 * @param {string} component the file that pages of other sites load: their requests do not pass
 *   this service worker
 * @returns {import('vite').Plugin}
 */
export function serviceWorkerPlugin(component) {
  let folder = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, relative(root, build.outDir));
    },
    // All files are written by now.
    closeBundle() {
      writeFileSync(join(folder, NAME), serviceWorkerOf(folder, component));
    },
  };
}

/**
 * @param {string} folder with all files of the site
 * @param {string} component which is not kept
 * @returns {string} another text whenever one of the kept files is another
 */
export function serviceWorkerOf(folder, component) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== NAME && entry.name !== component)
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  const head = `// ${hash.digest('hex')}\nglobalThis.stowageFiles = ${JSON.stringify(files)};\n`;
  return head + readFileSync(CODE, 'utf8');
}
