/** Minifies what the bundler has minified once more: each finds what the other leaves. */
import { minify } from 'terser';

import { OPTIONS } from '../wasm/toolchain/second_minifier.js';

/** @returns {import('vite').Plugin} */
export function secondMinifierPlugin() {
  return {
    name: 'second-minifier',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        const { code } = await minify(output.code, OPTIONS);
        if (code) output.code = code;
      }
    },
  };
}
