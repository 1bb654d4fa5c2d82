/** Runs a program to its end, or until it is stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { asTyped, CommandError } from '../../../wasm/toolchain/commands.js';

const DEADLINE_MS = 30_000;

/** @typedef {{ url: string, stop: () => Promise<void> }} Server `url` has no slash at its end */

/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv }} Place */

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Place} [place]
 * @returns {Promise<string>} its standard output
 * @throws {CommandError} with all output, if it fails or exceeds its time
 */
export async function runToEnd(program, args, place) {
  const { child, printed, output } = start(program, args, place);
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (code === 0) return output();
  throw new CommandError(asTyped(program, args), `${signal ?? `exit code ${code}`}\n${printed()}`);
}

/**
 * Starts a server and waits until it prints its address.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {(line: string) => string | undefined} urlOf returns the address, if the line contains it
 * @param {Place} [place]
 * @returns {Promise<Server>}
 */
export async function startServer(program, args, urlOf, place) {
  const { child, printed, onLine } = start(program, args, place);
  const closed = once(child, 'close');
  const url = await new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ why) =>
      reject(new CommandError(asTyped(program, args), `${why}\n${printed()}`));
    const timer = setTimeout(() => {
      fail('listens nowhere');
      child.kill('SIGKILL');
    }, DEADLINE_MS);
    closed.then(([code, signal]) => fail(`ended, ${signal ?? `exit code ${code}`}`), reject);
    onLine((line) => {
      const found = urlOf(line);
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found.replace(/\/$/, ''));
    });
    closed.finally(() => clearTimeout(timer));
  });
  const stop = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  return { url, stop };
}

/**
 * The third stream is for programs that report on a stream of their own.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Place} [place]
 */
function start(program, args, { cwd, env = process.env } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  /** @type {string[][]} */
  const lines = [[], []];
  /** @type {((line: string) => void)[]} */
  const listeners = [];
  for (const [at, stream] of child.stdio.slice(1).entries()) {
    const input = /** @type {import('node:stream').Readable} */ (stream);
    createInterface({ input }).on('line', (line) => {
      (lines[at] ?? lines[1]).push(line);
      for (const listener of listeners) listener(line);
    });
  }
  return {
    child,
    onLine: (/** @type {(line: string) => void} */ listener) => void listeners.push(listener),
    output: () => lines[0].join('\n'),
    printed: () => lines.flat().join('\n'),
  };
}
