/** Plays games of the world simulation in a process of their own. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./world_game.js').GameNumbers} GameNumbers */
/** @typedef {import('./world_game.js').GameResult} GameResult */

const WORKER = fileURLToPath(new URL('world_worker.js', import.meta.url));

export class WorldPlayer {
  /** @type {import('node:child_process').ChildProcess | null} */
  #worker = null;

  /** @param {GameNumbers} numbers @returns {Promise<GameResult>} */
  play(numbers) {
    this.#worker ??= fork(WORKER);
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const onMessage = (/** @type {any} */ { result, error }) => {
        worker.off('exit', onExit);
        if (error) reject(new Error(error));
        else resolve(result);
      };
      const onExit = (/** @type {number | null} */ code, /** @type {string | null} */ signal) => {
        worker.off('message', onMessage);
        this.#worker = null;
        const what = `the engine ended its process, with ${signal ?? code}`;
        resolve({ failure: { invariant: 'stops itself', what }, counts: {}, missing: [] });
      };
      worker.once('message', onMessage);
      worker.once('exit', onExit);
      worker.send(numbers);
    });
  }

  close() {
    this.#worker?.disconnect();
    this.#worker = null;
  }
}
