/**
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { RemotePlayground, Session } from '../session.js'
 */

/** The source name of a text that is not from a file. */
const PASTED = 'pasted text';

/**
 * Opens files that the user chose or dropped: a scenario, objects, or a configuration for what is
 * open. On an error it shows the error, and what is open stays.
 * @param {Session} session
 * @param {File[]} files
 * @returns {Promise<void>}
 */
export function openFiles(session, files) {
  if (files.length === 0) return Promise.resolve();
  return session.ask((playground) => open(session, playground, files));
}

/**
 * Opens a text in the same way.
 * @param {Session} session
 * @param {string} text
 * @returns {Promise<PlainError | null>} the error; null if the text was opened
 */
export async function openText(session, text) {
  /** @type {PlainError | null} */
  let refused = null;
  await session.ask(async (playground) => {
    try {
      await open(session, playground, [new File([text], PASTED)]);
    } catch (error) {
      const { source: _, ...others } = /** @type {PlainError} */ (error);
      refused = others;
    }
  });
  return refused;
}

/**
 * @param {Session} session
 * @param {RemotePlayground} playground
 * @param {File[]} files
 */
async function open(session, playground, files) {
  void session.playback.pause();
  await session.beforeOpening();
  const result = await playground.openFiles(files);
  if ('update' in result) return session.show(result.update);
  // Back leads to what was open before.
  if (location.hash) history.pushState(null, '', location.pathname + location.search);
  session.panel.value = 'story';
  return session.showOpened(result.opened, files.map(({ name }) => name).join(', '));
}
