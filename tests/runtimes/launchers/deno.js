/** Deno: a script, or a module whose default export has a `fetch`. */
import { runToEnd, startServer } from './child.js';
import { program } from './programs.js';

/** The permissions that the package needs: to read the module's file, and no network. */
const OPTIONS = ['--no-remote', '--no-prompt', '--cached-only', '--allow-read'];
const ENVIRONMENT = { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' };

/**
 * @param {string} script
 * @param {{ cwd?: string, args?: string[], options?: string[] }} [place] `options`: Deno's own
 * @returns {Promise<string>} its output
 */
export function runWithDeno(script, { cwd, args = [], options = [] } = {}) {
  const words = ['run', ...OPTIONS, ...options, script, ...args];
  return runToEnd(program('deno'), words, { cwd, env: ENVIRONMENT });
}

/**
 * @param {string} entry a module that default-exports `{ fetch }`
 * @param {{ cwd?: string, options?: string[], env?: Record<string, string> }} [place]
 *   `options`: Deno's own, such as `--allow-env`
 * @returns {Promise<import('./child.js').Server>}
 */
export function serveWithDeno(entry, { cwd, options = [], env = {} } = {}) {
  const words = ['serve', ...OPTIONS, ...options, '--host', '127.0.0.1', '--port', '0', entry];
  const urlOf = (/** @type {string} */ line) => /Listening on (http:\S+)/.exec(line)?.[1];
  return startServer(program('deno'), words, urlOf, { cwd, env: { ...ENVIRONMENT, ...env } });
}
