/** Builds the page: static files that work below any path. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

import { lessonFilesPlugin } from './lesson_files_plugin.js';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: {
    format: 'es',
    plugins: () => [lessonFilesPlugin()],
    rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
  },
  build: {
    outDir: fileURLToPath(new URL('../build/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Data in URLs is no file of this page.
    assetsInlineLimit: 0,
    // The API server loads YAML when it needs it; this page always does.
    rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
  },
});
