/** `npm start`: sets up, builds, and runs the main job on what is shipped with it. */
import { spawnSync } from 'node:child_process';

import { asTyped } from './commands.js';
import { repository } from './paths.js';
import { exitWith, step } from './report.js';
import { buildModule, setUp } from './setup.js';

/** What is run, in this order; `fine` are the exit codes that are answers, not faults. */
const DEMONSTRATIONS = [
  {
    title: 'a cluster of five nodes, from a running control plane',
    args: ['js/src/cli/stowage.js', 'simulate', 'examples/small-cluster/cluster.json', '--speed'],
    fine: [0, 1],
  },
  {
    title: 'the openb trace through stowage simulate: 8,152 pods onto 1,523 nodes',
    args: ['examples/openb/openb.js'],
    fine: [0],
  },
];

try {
  await buildModule(await setUp('start'));
  for (const { title, args, fine } of DEMONSTRATIONS) {
    const typed = asTyped('node', args);
    await step(title, typed, () => {
      console.log(`   $ ${typed}\n`);
      const { status, signal } = spawnSync(process.execPath, args, {
        cwd: repository,
        stdio: 'inherit',
      });
      console.log();
      if (status === null || !fine.includes(status)) {
        throw Object.assign(new Error(`${typed}: exit ${status ?? signal}`), {
          code: 'CommandFailed',
        });
      }
    });
  }
} catch (error) {
  exitWith(error);
}
