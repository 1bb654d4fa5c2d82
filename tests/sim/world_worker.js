/** Plays the games that its parent asks for: an engine that stops itself takes no more with it. */
import { playGame } from './world_game.js';

process.on('message', async (/** @type {any} */ numbers) => {
  try {
    process.send?.({ result: await playGame(numbers) });
  } catch (error) {
    process.send?.({ error: String(/** @type {any} */ (error).stack) });
  }
});
