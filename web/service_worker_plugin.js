/** Writes the service worker next to the page, with the list of all files that were built. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const CODE = new URL('src/offline/service_worker.js', import.meta.url);

/** Of the file, which is never kept by itself. */
const NAME = 'sw.js';

/** @returns {import('vite').Plugin} */
export function serviceWorkerPlugin() {
  let folder = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, relative(root, build.outDir));
    },
    // All files are written by now.
    closeBundle() {
      writeFileSync(join(folder, NAME), serviceWorkerOf(folder));
    },
  };
}

/**
 * @param {string} folder with all files of the site
 * @returns {string} another text whenever one of them is another
 */
export function serviceWorkerOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== NAME)
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  const head = `// ${hash.digest('hex')}\nglobalThis.stowageFiles = ${JSON.stringify(files)};\n`;
  return head + readFileSync(CODE, 'utf8');
}
