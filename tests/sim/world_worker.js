/**
 * Plays the games that its parent requests, in a process that an engine may end without harm to the
 * parent.
 */
import { playGame } from './world_game.js';

process.on('message', async (/** @type {any} */ numbers) => {
  try {
    process.send?.({ result: await playGame(numbers) });
  } catch (error) {
    process.send?.({ error: String(/** @type {any} */ (error).stack) });
  }
});
