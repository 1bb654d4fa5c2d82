/**
 * `npm run release`: publishes the package, with its provenance, from where that can be vouched
 * for. What follows `npm run release --` is for `npm publish`, such as `--dry-run`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { capture, run } from './commands.js';
import { repository } from './paths.js';
import { isSameRepository, repositoryField, repositoryOf } from './release_repository.js';
import { exitWith, SetupError, step } from './report.js';

const FOLDER = join(repository, 'build/release');

/**
 * @typedef {object} Release
 * @property {{version: string}} manifest  package.json
 * @property {string} changelog
 * @property {string} changes  what `git status --porcelain` prints
 * @property {string[]} tags  of this commit
 * @property {string} origin  the address of git's remote of that name; '' where there is none
 * @property {NodeJS.ProcessEnv} env
 */

/** What stands against it, as sentences. @param {Release} release @returns {string[]} */
export function releaseFaults({ manifest, changelog, changes, tags, origin, env }) {
  const { version } = manifest;
  const heading = new RegExp(
    `^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`,
    'm',
  );
  const page = repositoryOf(env);
  const vouches = env.ACTIONS_ID_TOKEN_REQUEST_URL ?? env.SIGSTORE_ID_TOKEN;
  /** @type {[boolean, string][]} */
  const rules = [
    [changes === '', 'There are changes that are not committed.'],
    [tags.includes(`v${version}`), `This commit has no tag v${version}.`],
    [heading.test(changelog), `CHANGELOG.md has no dated heading for ${version}.`],
    [page !== undefined, 'No CI says of which repository this is (GITHUB_REPOSITORY).'],
    [!page || isSameRepository(page, origin), `The origin of this checkout is not ${page}.`],
    [vouches !== undefined, 'Only a CI job with an OIDC token (id-token: write) can vouch for it.'],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

/**
 * The package, with the repository that it is of.
 *
 * @param {string} archive of `npm pack`
 * @param {string} folder where it is unpacked
 * @param {string} page of the repository
 * @returns {string} what is to be published
 */
export function packageOf(archive, folder, page) {
  capture('tar', ['-xzf', archive, '-C', folder]);
  const file = join(folder, 'package/package.json');
  const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), repository: repositoryField(page) };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return join(folder, 'package');
}

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} in which npm knows who publishes */
function withToken(env) {
  // Without a token npm asks the CI's own identity, where it trusts the workflow.
  if (!env.NODE_AUTH_TOKEN) return env;
  const registry = new URL(capture('npm', ['config', 'get', 'registry']).trim());
  const file = join(FOLDER, 'npmrc');
  writeFileSync(file, `//${registry.host}${registry.pathname}:_authToken=\${NODE_AUTH_TOKEN}\n`);
  return { ...env, NPM_CONFIG_USERCONFIG: file };
}

/** @param {string[]} options */
async function main(options) {
  const read = (/** @type {string} */ name) => readFileSync(join(repository, name), 'utf8');
  const git = (/** @type {string[]} */ ...words) => capture('git', ['-C', repository, ...words]);
  const { env } = process;
  const faults = releaseFaults({
    manifest: JSON.parse(read('package.json')),
    changelog: read('CHANGELOG.md'),
    changes: git('status', '--porcelain'),
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    origin: git('config', '--default', '', 'remote.origin.url').trim(),
    env,
  });
  if (faults.length > 0) throw new SetupError(`Not released.\n${faults.join('\n')}`);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  // The build is npm's to ask for: `prepack`.
  await step('packing', 'npm run release', () =>
    run('npm', ['pack', '--pack-destination', FOLDER], { cwd: repository }),
  );
  const [archive] = readdirSync(FOLDER);
  const folder = packageOf(join(FOLDER, archive), FOLDER, String(repositoryOf(env)));
  const args = ['publish', folder, '--ignore-scripts', '--provenance', ...options];
  await step('publishing', 'npm run release', () => run('npm', args, { env: withToken(env) }));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    exitWith(error);
  }
}
