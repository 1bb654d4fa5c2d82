import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { capture } from '../../wasm/toolchain/commands.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { packageOf, packFaults, publishFaults } from '../../wasm/toolchain/release.js';

const ready = {
  manifest: { version: '1.2.3' },
  changelog: '# Changelog\n\n## 1.2.3 (2026-03-01)\n\nMore.\n',
  changes: '',
  tags: ['v1.2.3', ''],
  origin: 'https://github.com/example/stowage',
  env: {
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'example/stowage',
    ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example',
    TARBALL_SHA256: createHash('sha256').update('packed').digest('hex'),
  },
};

/** A tarball that an earlier job has built. @param {import('node:test').TestContext} t */
function tarballOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-release-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const tarball = join(folder, 'stowage.tgz');
  writeFileSync(tarball, 'packed');
  return tarball;
}

test('a release with provenance is published', (t) => {
  const tarball = tarballOf(t);
  assert.deepEqual(packFaults(ready), []);
  assert.deepEqual(publishFaults(ready, tarball), []);
  const origin = 'https://gitlab.com/group/of/stowage.git';
  const { TARBALL_SHA256 } = ready.env;
  const page = 'https://gitlab.com/group/of/stowage';
  const env = { CI_PROJECT_URL: page, SIGSTORE_ID_TOKEN: 'token', TARBALL_SHA256 };
  assert.deepEqual(publishFaults({ ...ready, origin, env }, tarball), []);
});

test('an obstacle to packing is an obstacle to publishing too', (t) => {
  const { changelog, env } = ready;
  const tarball = tarballOf(t);
  /** @type {[Partial<import('../../wasm/toolchain/release.js').Release>, RegExp][]} */
  const cases = [
    [{ changes: ' M README.md\n' }, /not committed/],
    [{ tags: ['v1.2.2'] }, /no tag v1\.2\.3/],
    [{ changelog: changelog.replace('2026-03-01', 'unreleased') }, /no dated heading for 1\.2\.3/],
    [{ changelog: changelog.replace('1.2.3', '1a2b3') }, /no dated heading/],
    [{ env: { ...env, GITHUB_REPOSITORY: undefined } }, /No CI says of which repository this is/],
    [{ origin: '' }, /origin of this checkout is not https:\/\/github\.com\/example\/stowage\.$/],
    [{ origin: 'https://github.com/fork/stowage' }, /origin/],
    [{ origin: 'https://github.com.example/example/stowage' }, /origin/],
  ];
  for (const [change, fault] of cases) {
    const release = { ...ready, ...change };
    const [said, ...others] = packFaults(release);
    assert.match(said, fault);
    assert.deepEqual(others, []);
    assert.deepEqual(publishFaults(release, tarball), [said]);
  }
});

test('only the tarball that was built is published, by a job that can prove its identity', (t) => {
  const { env } = ready;
  const tarball = tarballOf(t);
  /** @type {[Partial<typeof env>, string, RegExp][]} */
  const cases = [
    [{ ACTIONS_ID_TOKEN_REQUEST_URL: undefined }, tarball, /OIDC/],
    [{ TARBALL_SHA256: 'ab'.repeat(32) }, tarball, /SHA-256 is [0-9a-f]{64}, not (ab){32}\.$/],
    [{ TARBALL_SHA256: '' }, tarball, /not given \(TARBALL_SHA256\)/],
    [{ TARBALL_SHA256: undefined }, tarball, /not given/],
    [{}, `${tarball}.none`, /There is no .*stowage\.tgz\.none/],
  ];
  for (const [change, file, fault] of cases) {
    const [said, ...others] = publishFaults({ ...ready, env: { ...env, ...change } }, file);
    assert.match(said, fault);
    assert.deepEqual(others, []);
  }
});

test('an origin may be written in several ways', () => {
  for (const origin of [
    'https://github.com/Example/stowage.git',
    'https://x-access-token:secret@github.com/example/stowage',
    'git@github.com:example/stowage.git',
    'ssh://git@github.com/example/stowage.git/',
  ])
    assert.deepEqual(packFaults({ ...ready, origin }), [], origin);
});

test('the published package names its repository and has a README of its own', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-release-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const packed = { name: 'stowage', version: '1.2.3', publishConfig: { provenance: true } };
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(packed));
  writeFileSync(join(folder, 'package/index.js'), 'export {};\n');
  writeFileSync(join(folder, 'package/README.md'), 'for those who build it\n');
  const archive = join(folder, 'stowage-1.2.3.tgz');
  capture('tar', ['-czf', archive, '-C', folder, 'package']);
  rmSync(join(folder, 'package'), { recursive: true });
  const made = packageOf(archive, folder, 'https://github.com/example/stowage');
  assert.deepEqual(readdirSync(made).sort(), ['README.md', 'index.js', 'package.json']);
  assert.deepEqual(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')), {
    ...packed,
    repository: { type: 'git', url: 'git+https://github.com/example/stowage.git' },
    bugs: { url: 'https://github.com/example/stowage/issues' },
    homepage: 'https://github.com/example/stowage',
  });
  const readme = readFileSync(join(made, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
  const blob = 'https://github.com/example/stowage/blob/v1.2.3/';
  assert.ok(links.length > 0);
  for (const link of links) {
    assert.ok(link.startsWith(blob), link);
    assert.ok(existsSync(join(repository, link.slice(blob.length))), link);
  }
});

test('the command publishes nothing outside of CI', () => {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
  const args = ['wasm/toolchain/release.js', 'publish', '--dry-run'];
  const env = { PATH: process.env.PATH };
  const { status, stderr } = spawnSync('node', args, { cwd: repository, env, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^Not released\.\n[^]*OIDC/m);
});

test('the changelog begins with the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
  assert.equal(/^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$/m.exec(changelog)?.[1], version);
});
