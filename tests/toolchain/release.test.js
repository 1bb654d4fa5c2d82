import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { capture } from '../../wasm/toolchain/commands.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { packageOf, releaseFaults } from '../../wasm/toolchain/release.js';

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
  },
};

test('a release that is vouched for', () => {
  assert.deepEqual(releaseFaults(ready), []);
  const origin = 'https://gitlab.com/group/of/stowage.git';
  const env = { CI_PROJECT_URL: 'https://gitlab.com/group/of/stowage', SIGSTORE_ID_TOKEN: 'token' };
  assert.deepEqual(releaseFaults({ ...ready, origin, env }), []);
});

test('what stands against a release is said', () => {
  const { changelog, env } = ready;
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
    [{ env: { ...env, ACTIONS_ID_TOKEN_REQUEST_URL: undefined } }, /OIDC/],
  ];
  for (const [change, fault] of cases) {
    const [said, ...others] = releaseFaults({ ...ready, ...change });
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
    assert.deepEqual(releaseFaults({ ...ready, origin }), [], origin);
});

test('what is published says of which repository it is, and is else as it was packed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-release-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const packed = { name: 'stowage', version: '1.2.3', publishConfig: { provenance: true } };
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(packed));
  writeFileSync(join(folder, 'package/index.js'), 'export {};\n');
  const archive = join(folder, 'stowage-1.2.3.tgz');
  capture('tar', ['-czf', archive, '-C', folder, 'package']);
  rmSync(join(folder, 'package'), { recursive: true });
  const made = packageOf(archive, folder, 'https://github.com/example/stowage');
  assert.deepEqual(readdirSync(made).sort(), ['index.js', 'package.json']);
  assert.deepEqual(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')), {
    ...packed,
    repository: { type: 'git', url: 'git+https://github.com/example/stowage.git' },
  });
});

test('the command publishes nothing from anywhere', () => {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
  const args = ['wasm/toolchain/release.js', '--dry-run'];
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
