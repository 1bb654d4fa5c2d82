/** What a workflow runs of others must be one thing for ever: a commit, or a digest. */

/** @import { Finding } from './files.js' */

const NAMES = /^\s*(?:-\s+)?(uses|container|image):\s*(\S+)\s*(#.*)?$/;
const ACTION = /^[\w.-]+(\/[\w.-]+)+@[0-9a-f]{40}$/;
const IMAGE = /^(docker:\/\/)?[\w./:-]+@sha256:[0-9a-f]{64}$/;
const OWN = /^\.\//;
const VERSION = /^# v?\d+(\.\d+)+$/;

/**
 * @param {string} _path
 * @param {string} text  of a workflow
 * @returns {Finding[]}
 */
export function unpinned(_path, text) {
  return text.split('\n').flatMap((line, row) => {
    const [, key, name, comment] = NAMES.exec(line) ?? [];
    if (!key || OWN.test(name)) return [];
    const isPinned = (key === 'uses' && ACTION.test(name)) || IMAGE.test(name);
    if (!isPinned) return [{ line: row + 1, what: `${name} is not pinned to a commit or digest` }];
    if (!VERSION.test(comment ?? ''))
      return [{ line: row + 1, what: 'no comment has its version' }];
    return [];
  });
}
