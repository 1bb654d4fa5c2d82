import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/**
 * A folder that goes with the tests of this file, and what puts files into it.
 * @returns {Promise<{ folder: string, file: (name: string, content: unknown) => Promise<string> }>}
 *   `file` takes text, bytes, or what becomes JSON, and gives the path
 */
export async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-'));
  after(() => rm(folder, { recursive: true }));
  const file = async (/** @type {string} */ name, /** @type {unknown} */ content) => {
    const path = join(folder, name);
    const isReady = typeof content === 'string' || content instanceof Uint8Array;
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, isReady ? content : JSON.stringify(content));
    return path;
  };
  return { folder, file };
}
