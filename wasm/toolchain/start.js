/**
 * `npm start`: sets up, builds, starts a cluster for kubectl, and opens the page that shows it.
 * Arguments after `npm start --` go to `stowage up`. Without a terminal it opens nothing and ends
 * after a few seconds.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { asTyped } from './commands.js';
import { ensureNpmPackages } from './npm_packages.js';
import { chosenEmscripten, repository } from './paths.js';
import { exitWith, say, step } from './report.js';
import { buildModule, setUp } from './setup.js';
import { buildWeb } from './web.js';

const ATTENDED = ['--open'];
const UNATTENDED = ['--port', '0', '--for', '2'];

/** The expected time on two processors, by the parts that exist already. */
function expectation() {
  if (existsSync(join(repository, 'js/dist/stowage.wasm'))) {
    return 'a quarter of a minute, or up to 3 minutes when much has changed';
  }
  if (existsSync(chosenEmscripten)) return 'about 3 minutes, most of it for the WebAssembly module';
  return 'about 6 minutes: 3 for the compiler, which is set up once, and 3 for the module';
}

try {
  say(`this takes ${expectation()}`);
  await buildModule(await setUp('start'), () => ensureNpmPackages({ dev: true }));
  await step('the playground', 'npm run build:web', buildWeb);
  const isAttended = process.stdin.isTTY && process.stdout.isTTY && !process.env.CI;
  const given = process.argv.slice(2);
  const own = isAttended ? ATTENDED : UNATTENDED;
  const args = ['js/src/cli/stowage.js', 'up', ...own, ...given];
  const typed = asTyped('node', args);
  await step('a cluster on this machine', typed, () => {
    console.log(`   $ ${typed}\n`);
    // Ctrl-C is the command's to handle: it stops in its own time.
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
