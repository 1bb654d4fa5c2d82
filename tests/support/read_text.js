import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/**
 * The text of a file, plain or gzip'd (by its name).
 * @param {string} file
 */
export function readText(file) {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
