/**
 * `npm start`: sets up, builds, puts a cluster up that kubectl talks to, and opens the page that
 * shows it. What follows `npm start --` is for `stowage up`. Where nobody sits at a terminal
 * nothing is opened, and it ends after a few seconds.
 */
import { spawnSync } from 'node:child_process';

import { asTyped } from './commands.js';
import { ensureNpmPackages } from './npm_packages.js';
import { repository } from './paths.js';
import { exitWith, step } from './report.js';
import { buildModule, setUp } from './setup.js';
import { buildWeb } from './web.js';

const ATTENDED = ['--open'];
const UNATTENDED = ['--port', '0', '--for', '5'];

try {
  await buildModule(await setUp('start'));
  await step('the playground', 'npm run build:web', async () => {
    await ensureNpmPackages({ dev: true });
    await buildWeb();
  });
  const isAttended = process.stdin.isTTY && process.stdout.isTTY && !process.env.CI;
  const given = process.argv.slice(2);
  const own = isAttended ? ATTENDED : UNATTENDED;
  const args = ['js/src/cli/stowage.js', 'up', ...own, ...given];
  const typed = asTyped('node', args);
  await step('a cluster on this machine', typed, () => {
    console.log(`   $ ${typed}\n`);
    // Ctrl-C is for the command, which ends in its own time.
    process.on('SIGINT', () => {});
    const { status, signal } = spawnSync(process.execPath, args, {
      cwd: repository,
      stdio: 'inherit',
    });
    console.log();
    if (status !== 0) {
      throw Object.assign(new Error(`${typed}: exit ${status ?? signal}`), {
        code: 'CommandFailed',
      });
    }
  });
} catch (error) {
  exitWith(error);
}
