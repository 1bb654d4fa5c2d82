import { spawn } from 'node:child_process';

/**
 * Opens a page in the default browser of this machine.
 * @param {string} url
 * @param {{ platform?: string, start?: typeof spawn }} [surroundings] tests replace it
 * @returns {Promise<boolean>} whether a program could be started
 */
export function openBrowser(url, { platform = process.platform, start = spawn } = {}) {
  const [program, ...args] = programOf(platform);
  return new Promise((resolve) => {
    const child = start(program, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

/** @param {string} platform @returns {string[]} */
function programOf(platform) {
  if (platform === 'darwin') return ['open'];
  // Not `start`: it is a shell command, and the shell would interpret the URL.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
