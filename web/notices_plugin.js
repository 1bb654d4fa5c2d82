/** Writes the notices of the licences of all that the page is made of next to it. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { NOTICES, noticesText, packageNotices } from '../wasm/toolchain/notices.js';

const OF_THE_MODULE = fileURLToPath(new URL(`../js/dist/${NOTICES}`, import.meta.url));

/**
 * Two plugins that share what they have seen: the page's own and one for its workers, which are
 * bundled apart and before the page is written.
 *
 * @returns {{ page: import('vite').Plugin, workers: import('vite').Plugin }}
 */
export function noticesPlugins() {
  /** @type {Set<string>} */
  const modules = new Set();
  /** @param {import('vite').Rolldown.OutputBundle} bundle */
  const collect = (bundle) => {
    for (const output of Object.values(bundle)) {
      if (output.type === 'chunk') output.moduleIds.forEach((id) => modules.add(id));
    }
  };
  return {
    page: {
      name: 'notices',
      apply: 'build',
      generateBundle(_options, bundle) {
        collect(bundle);
        if (!existsSync(OF_THE_MODULE)) this.error(`${OF_THE_MODULE} is missing: npm run build`);
        const own = noticesText('This page contains', packageNotices(modules));
        const source = `${own}${readFileSync(OF_THE_MODULE, 'utf8')}`;
        this.emitFile({ type: 'asset', fileName: NOTICES, source });
      },
    },
    workers: {
      name: 'notices-of-workers',
      generateBundle: (_options, bundle) => collect(bundle),
    },
  };
}
