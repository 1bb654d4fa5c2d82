import { spawn } from 'node:child_process';

/**
 * Opens a page in the default browser of this machine.
 * @param {string} url
 * @param {{ platform?: string, start?: typeof spawn }} [surroundings] tests give others
 * @returns {Promise<boolean>} whether there is a program that does
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
  // `start` is a word of a shell, which would read the address.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
