import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { PlainHeaders, PlainRequest } from '../../../../js/src/io/plain_http.js';
import { staticFiles } from '../../../../js/src/runtimes/node/static_files.js';
import { makeFolder } from '../../support/folder.js';

const { folder, file } = await makeFolder();
await file('secret.txt', 'not for you');
await file('page/index.html', '<head></head>');
await file('page/assets/code.js', 'export {};');
await file('page/assets/module.wasm', 'wasm');
await file('page/.hidden', 'not for you');
const answer = staticFiles(join(folder, 'page'), { prefix: '/page/', headers: { 'x-own': 'yes' } });

/** @param {string} path @param {string} [method] */
async function ask(path, method = 'GET') {
  const headers = new PlainHeaders({});
  const content = () => new Uint8Array();
  // As sent over the wire: the URL class would remove `..` from the path.
  const url = new URL(`http://here${path}`);
  return answer(new PlainRequest({ method, url: url.href, headers, content }));
}

test('a file comes with its type, a folder is its index', async () => {
  for (const [path, type] of [
    ['/page/', 'text/html; charset=utf-8'],
    ['/page/index.html', 'text/html; charset=utf-8'],
    ['/page/assets/code.js', 'text/javascript; charset=utf-8'],
    ['/page/assets/module.wasm', 'application/wasm'],
  ]) {
    const { status, headers } = await ask(path);
    assert.deepEqual([status, headers.get('content-type')], [200, type], path);
    assert.equal(headers.get('x-own'), 'yes');
  }
  assert.equal(await (await ask('/page/')).toResponse().text(), '<head></head>');
});

test('nothing but the files of the folder is to be had', async () => {
  for (const path of [
    '/page/nothing.js',
    '/page/assets',
    '/page/../secret.txt',
    '/page/%2e%2e/secret.txt',
    '/page/..%2fsecret.txt',
    '/page/..%5csecret.txt',
    '/page/assets/..%2f..%2f..%2fsecret.txt',
    '/page//etc/passwd',
    '/page/.hidden',
    '/page/index.html%00.js',
  ])
    assert.equal((await ask(path)).status, 404, path);
});

test('static files can be read, not written', async () => {
  const { status, headers } = await ask('/page/', 'POST');
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD']);
});
