/**
 * `npm start`: sets up, builds, and puts a cluster up that kubectl talks to. What follows
 * `npm start --` is for `stowage up`. Where nobody sits at a terminal it ends after a few seconds.
 */
import { spawnSync } from 'node:child_process';

import { asTyped } from './commands.js';
import { repository } from './paths.js';
import { exitWith, step } from './report.js';
import { buildModule, setUp } from './setup.js';

const UNATTENDED = ['--port', '0', '--for', '5'];

try {
  await buildModule(await setUp('start'));
  const isAttended = process.stdin.isTTY && process.stdout.isTTY && !process.env.CI;
  const given = process.argv.slice(2);
  const args = ['js/src/cli/stowage.js', 'up', ...(isAttended ? given : [...UNATTENDED, ...given])];
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
