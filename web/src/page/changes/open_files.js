/** @import { Session } from '../session.js' */

/**
 * Opens files that somebody chose or dropped: a scenario, objects, or a configuration for what is
 * open. What cannot be opened is told, and what is open stays.
 * @param {Session} session
 * @param {File[]} files
 * @returns {Promise<void>}
 */
export function openFiles(session, files) {
  if (files.length === 0) return Promise.resolve();
  return session.ask(async (playground) => {
    session.pause();
    const result = await playground.openFiles(files);
    if ('update' in result) return session.show(result.update);
    history.replaceState(null, '', location.pathname + location.search);
    session.panel.value = 'story';
    return session.showOpened(result.opened, files.map(({ name }) => name).join(', '));
  });
}
