/**
 * Minifies what a bundler has minified once more, with terser: each finds what the other leaves. It
 * saves 2 KB of an import in brotli. Source maps still lead to the sources.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** terser's options, for the playground, too. */
export const OPTIONS = /** @type {const} */ ({
  module: true,
  ecma: 2022,
  compress: { passes: 3 },
});

/**
 * @callback Minify
 * @param {Record<string, string>} files
 * @param {object} options
 * @returns {Promise<{ code?: string, map?: string }>}
 */

/**
 * @param {Minify} minify terser's
 * @param {string} folder of bundles, each with its source map beside it
 */
export async function minifyAgain(minify, folder) {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.js.map')) continue;
    const map = join(folder, name);
    const bundle = map.slice(0, -'.map'.length);
    const sourceMap = { content: readFileSync(map, 'utf8'), url: name };
    const files = { [name.slice(0, -'.map'.length)]: readFileSync(bundle, 'utf8') };
    const output = await minify(files, { ...OPTIONS, sourceMap });
    if (!output.code || !output.map) throw new Error(`terser wrote nothing for ${bundle}`);
    writeFileSync(bundle, output.code);
    writeFileSync(map, output.map);
  }
}
