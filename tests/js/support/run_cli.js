import { Readable, Writable } from 'node:stream';
import { main } from '../../../js/src/cli/main.js';
import { Engine } from '../../../js/src/index.js';

/**
 * Runs the command line in this process, on the native engine unless another is given.
 * @param {string[]} argv
 * @param {{ stdin?: string | Uint8Array | Readable, env?: object, isTTY?: boolean, loadEngine?:
 *   () => Promise<Engine>, connections?: object, signal?: AbortSignal, onWrite?: (stderr: string,
 *   stdout: string) => void, playgroundFolder?: string, openBrowser?: (url: string) =>
 *   Promise<boolean> }} [options] `connections` are those of a fake cluster, `signal` is Ctrl-C,
 *   `onWrite` gets all that was written so far; without `playgroundFolder` there is no page
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export async function runCli(argv, options = {}) {
  const { stdin = '', env = {}, isTTY = false, loadEngine, connections, signal } = options;
  const written = { stdout: '', stderr: '' };
  const sink = (/** @type {'stdout' | 'stderr'} */ name) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          written[name] += chunk;
          options.onWrite?.(written.stderr, written.stdout);
          done();
        },
      }),
      { isTTY, columns: 80 },
    );
  const code = await main(argv, {
    stdin: stdin instanceof Readable ? stdin : Readable.from([Buffer.from(stdin)]),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    // No kubeconfig of this machine is read.
    env: { HOME: '/nowhere', ...env },
    loadEngine: loadEngine ?? nativeEngine,
    loadConnections: async () =>
      /** @type {any} */ (connections) ?? import('../../../js/src/node.js'),
    untilStopped: () => ({ signal: signal ?? new AbortController().signal, release: () => {} }),
    playgroundFolder: options.playgroundFolder ?? '/nowhere',
    openBrowser: options.openBrowser ?? (async () => false),
  });
  return { code, ...written };
}

/** The bench runs this file where the native engine is not built. */
async function nativeEngine() {
  const { NativeSurface } = await import('./native_surface.js');
  return new Engine(new NativeSurface());
}
