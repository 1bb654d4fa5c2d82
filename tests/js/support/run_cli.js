import { Readable, Writable } from 'node:stream';
import { main } from '../../../js/src/cli/main.js';
import { Engine } from '../../../js/src/index.js';
import { FakeSurface } from './fake_surface.js';

/**
 * Runs the command line in this process, on the fake engine unless another is given.
 * @param {string[]} argv
 * @param {{ stdin?: string | Uint8Array | Readable, env?: object, isTTY?: boolean, loadEngine?:
 *   () => Promise<Engine> }} [options]
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export async function runCli(argv, { stdin = '', env = {}, isTTY = false, loadEngine } = {}) {
  const written = { stdout: '', stderr: '' };
  const sink = (/** @type {'stdout' | 'stderr'} */ name) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          written[name] += chunk;
          done();
        },
      }),
      { isTTY, columns: 80 },
    );
  const code = await main(argv, {
    stdin: stdin instanceof Readable ? stdin : Readable.from([Buffer.from(stdin)]),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env,
    loadEngine: loadEngine ?? (async () => new Engine(new FakeSurface())),
  });
  return { code, ...written };
}
