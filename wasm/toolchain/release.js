/**
 * `npm run release -- pack` builds and packs a release and prints its SHA-256. `npm run release --
 * publish` publishes that tarball with its provenance, if it has that SHA-256 (TARBALL_SHA256); it
 * builds nothing and runs no code of packages. Further arguments go to `npm publish`, such as
 * `--dry-run`.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { RECORD, sha256Of } from './build_record.js';
import { capture, run } from './commands.js';
import { repository } from './paths.js';
import {
  isSameRepository,
  repositoryField,
  repositoryOf,
  withAbsoluteLinks,
} from './release_repository.js';
import { exitWith, say, SetupError, step } from './report.js';

const FOLDER = join(repository, 'build/release');
const TARBALL = join(FOLDER, 'stowage.tgz');

/**
 * @typedef {object} Release
 * @property {{version: string}} manifest  package.json
 * @property {string} changelog
 * @property {string} changes  what `git status --porcelain` prints
 * @property {string[]} tags  of this commit
 * @property {string} origin the URL of git's remote of that name; '' if there is none
 * @property {NodeJS.ProcessEnv} env
 */

/** The obstacles to packing, as sentences. @param {Release} release @returns {string[]} */
export function packFaults({ manifest, changelog, changes, tags, origin, env }) {
  const { version } = manifest;
  const heading = new RegExp(
    `^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`,
    'm',
  );
  const page = repositoryOf(env);
  return broken([
    [changes === '', 'There are changes that are not committed.'],
    [tags.includes(`v${version}`), `This commit has no tag v${version}.`],
    [heading.test(changelog), `CHANGELOG.md has no dated heading for ${version}.`],
    [page !== undefined, 'No CI says of which repository this is (GITHUB_REPOSITORY).'],
    [!page || isSameRepository(page, origin), `The origin of this checkout is not ${page}.`],
  ]);
}

/**
 * The obstacles to publishing, as sentences.
 *
 * @param {Release} release
 * @param {string} tarball  its file
 * @returns {string[]}
 */
export function publishFaults(release, tarball) {
  const { env } = release;
  const vouches = env.ACTIONS_ID_TOKEN_REQUEST_URL ?? env.SIGSTORE_ID_TOKEN;
  const expected = env.TARBALL_SHA256;
  const found = existsSync(tarball) ? sha256Of(tarball) : undefined;
  return [
    ...packFaults(release),
    ...broken([
      [
        vouches !== undefined,
        'Only a CI job with an OIDC token (id-token: write) can vouch for it.',
      ],
      [found !== undefined, `There is no ${tarball}: the job that builds makes it.`],
      [
        found === undefined || found === expected,
        `The tarball's SHA-256 is ${found}, not ${expected || 'given (TARBALL_SHA256)'}.`,
      ],
    ]),
  ];
}

/** @param {[holds: boolean, fault: string][]} rules @returns {string[]} */
function broken(rules) {
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

/** The package's short README. Its links are paths in this repository. */
const PACKAGE_README = 'js/package/README.md';

/**
 * Adds the repository's address and the README to the package.
 *
 * @param {string} archive of `npm pack`
 * @param {string} folder the folder where it is unpacked
 * @param {string} page of the repository
 * @returns {string} the package to publish
 */
export function packageOf(archive, folder, page) {
  capture('tar', ['-xzf', archive, '-C', folder]);
  const file = join(folder, 'package/package.json');
  const packed = JSON.parse(readFileSync(file, 'utf8'));
  const bugs = { url: `${page}/issues` };
  const manifest = { ...packed, repository: repositoryField(page), bugs, homepage: page };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  const text = readFileSync(join(repository, PACKAGE_README), 'utf8');
  const blob = `${page}/blob/v${packed.version}`;
  writeFileSync(
    join(folder, 'package/README.md'),
    withAbsoluteLinks(text, { blob, place: PACKAGE_README }),
  );
  return join(folder, 'package');
}

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} with the publisher's identity */
function withToken(env) {
  // Without a token, npm uses the CI job's identity, if the registry trusts the workflow.
  if (!env.NODE_AUTH_TOKEN) return env;
  const registry = new URL(capture('npm', ['config', 'get', 'registry']).trim());
  const file = join(FOLDER, 'npmrc');
  writeFileSync(file, `//${registry.host}${registry.pathname}:_authToken=\${NODE_AUTH_TOKEN}\n`);
  return { ...env, NPM_CONFIG_USERCONFIG: file };
}

/** The release that this checkout would make. @returns {Release} */
function thisRelease() {
  const read = (/** @type {string} */ name) => readFileSync(join(repository, name), 'utf8');
  const git = (/** @type {string[]} */ ...words) => capture('git', ['-C', repository, ...words]);
  return {
    manifest: JSON.parse(read('package.json')),
    changelog: read('CHANGELOG.md'),
    changes: git('status', '--porcelain'),
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    origin: git('config', '--default', '', 'remote.origin.url').trim(),
    env: process.env,
  };
}

/** @param {string[]} faults */
function refuse(faults) {
  if (faults.length > 0) throw new SetupError(`Not released.\n${faults.join('\n')}`);
}

/** @param {string} folder  for the package's files @param {string[]} from  what npm packs */
async function packInto(folder, from) {
  await run('npm', ['pack', ...from, '--pack-destination', folder], { cwd: repository });
  const name = readdirSync(folder).find((entry) => entry.endsWith('.tgz'));
  return join(folder, String(name));
}

async function pack() {
  const release = thisRelease();
  refuse(packFaults(release));
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  await step('packing', 'npm run release -- pack', async () => {
    // npm runs the build itself, as `prepack`.
    const archive = await packInto(FOLDER, []);
    const folder = packageOf(archive, FOLDER, String(repositoryOf(release.env)));
    rmSync(archive);
    renameSync(await packInto(FOLDER, [folder, '--ignore-scripts']), TARBALL);
    console.log(readFileSync(join(repository, 'js/dist', RECORD), 'utf8'));
    const sha256 = sha256Of(TARBALL);
    say(`${sha256}  ${TARBALL}`);
    const outputs = release.env.GITHUB_OUTPUT;
    if (outputs) appendFileSync(outputs, `sha256=${sha256}\n`);
  });
}

/** @param {string[]} options  of `npm publish` */
async function publish(options) {
  refuse(publishFaults(thisRelease(), TARBALL));
  const args = ['publish', TARBALL, '--ignore-scripts', '--provenance', ...options];
  await step('publishing', 'npm run release -- publish', () =>
    run('npm', args, { env: withToken(process.env) }),
  );
}

/** @param {string[]} words */
async function main([command, ...options]) {
  if (command === 'pack') return pack();
  if (command === 'publish') return publish(options);
  throw new SetupError('npm run release -- pack, or npm run release -- publish');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    exitWith(error);
  }
}
