/**
 * `npm run release`: publishes the package, with its provenance, from where that can be vouched
 * for. What follows `npm run release --` is for `npm publish`, such as `--dry-run`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { capture, run } from './commands.js';
import { repository } from './paths.js';
import { exitWith, SetupError, step } from './report.js';

/**
 * @typedef {object} Release
 * @property {{version: string, repository?: unknown}} manifest  package.json
 * @property {string} changelog
 * @property {string} changes  what `git status --porcelain` prints
 * @property {string[]} tags  of this commit
 * @property {NodeJS.ProcessEnv} env
 */

/** What stands against it, as sentences. @param {Release} release @returns {string[]} */
export function releaseFaults({ manifest, changelog, changes, tags, env }) {
  const { version } = manifest;
  const heading = new RegExp(
    `^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`,
    'm',
  );
  const vouches = env.ACTIONS_ID_TOKEN_REQUEST_URL ?? env.SIGSTORE_ID_TOKEN;
  /** @type {[boolean, string][]} */
  const rules = [
    [changes === '', 'There are changes that are not committed.'],
    [tags.includes(`v${version}`), `This commit has no tag v${version}.`],
    [heading.test(changelog), `CHANGELOG.md has no dated heading for ${version}.`],
    [manifest.repository !== undefined, 'package.json names no repository to vouch for.'],
    [vouches !== undefined, 'Only a CI job with an OIDC token (id-token: write) can vouch for it.'],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

/** @param {string[]} options */
async function main(options) {
  const read = (/** @type {string} */ name) => readFileSync(join(repository, name), 'utf8');
  const git = (/** @type {string[]} */ ...words) => capture('git', ['-C', repository, ...words]);
  const faults = releaseFaults({
    manifest: JSON.parse(read('package.json')),
    changelog: read('CHANGELOG.md'),
    changes: git('status', '--porcelain'),
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    env: process.env,
  });
  if (faults.length > 0) throw new SetupError(`Not released.\n${faults.join('\n')}`);
  // The build is npm's to ask for: `prepack`.
  await step('publishing', 'npm run release', () =>
    run('npm', ['publish', '--provenance', ...options], { cwd: repository }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    exitWith(error);
  }
}
