/** Builds the page: static files that work below any path. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

import { lessonFilesPlugin } from './lesson_files_plugin.js';
import { lessonTitlesPlugin } from './lesson_titles_plugin.js';
import { noticesPlugins } from './notices_plugin.js';
import { secondMinifierPlugin } from './second_minifier_plugin.js';
import { serviceWorkerPlugin } from './service_worker_plugin.js';
import { typesTablePlugin } from './types_table_plugin.js';

const notices = noticesPlugins();

const COMPONENT = 'stowage-playground';

/** @param {string} path */
const inFolder = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: inFolder('.'),
  base: './',
  plugins: [
    lessonTitlesPlugin(),
    notices.page,
    secondMinifierPlugin(),
    serviceWorkerPlugin(`${COMPONENT}.js`),
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: {
    format: 'es',
    plugins: () => [
      ...[lessonFilesPlugin(), typesTablePlugin(), notices.workers, secondMinifierPlugin()],
    ],
    rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
  },
  build: {
    outDir: inFolder('../build/web'),
    emptyOutDir: true,
    target: 'es2022',
    // Data in URLs is no file of this page.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        index: inFolder('index.html'),
        [COMPONENT]: inFolder('src/component/stowage_playground.js'),
      },
      output: {
        // Pages elsewhere name it.
        entryFileNames: ({ name }) =>
          name === COMPONENT ? `${COMPONENT}.js` : 'assets/[name]-[hash].js',
      },
      // The API server loads YAML when it needs it; this page always does.
      checks: { ineffectiveDynamicImport: false },
    },
  },
});
