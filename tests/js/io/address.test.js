// Goal: an address has the parts that a URL has. Method: addresses of one server and of several,
// one after the other, are compared with their URLs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from '../../../js/src/io/address.js';

const PATHS = [
  ...['/', '/api/v1/pods', '/apis/apps/v1/namespaces/a-b/deployments/c.d', '/a:b/~c/_', '//a//'],
  ...['/a/../b', '/a/./b', '/.', '/..', '/%2e%2e/a', '/a%20b', '/a b', '/ä', '/a\\b', '', '#a'],
  ...['?watch=1', '/pods?labelSelector=a%3Db&limit=5', '/a#b', '/a?b#c', '/a;b', '/a@b', '.b/a'],
];
const SERVERS = [
  ...['http://127.0.0.1:8080', 'http://localhost', 'https://a.example:443', 'http://[::1]:80'],
  ...['http://localhost', 'http://user:word@localhost', 'HTTP://LOCALHOST', 'https://a.example'],
];

for (const server of SERVERS) {
  test(`the parts are those of the URL: ${server}`, () => {
    for (const path of [...PATHS, ...PATHS]) {
      if (!URL.canParse(server + path)) continue;
      const url = new URL(server + path);
      const found = addressOf(server + path);
      assert.equal(found.path, url.pathname + url.search, path);
      assert.equal(found.pathname, url.pathname, path);
      assert.equal(String(found.searchParams), String(url.searchParams), path);
      const { host, hostname, port, protocol, origin } = found.server;
      assert.deepEqual(
        [host, hostname, port, protocol, origin],
        [url.host, url.hostname, url.port, url.protocol, url.origin],
        path,
      );
    }
  });
}

test('an invalid address is refused, also after a valid one', () => {
  addressOf('http://localhost/a');
  for (const url of ['', '/a', 'http://', 'http://localhost:99999/a', 'http://a b/'])
    assert.throws(() => addressOf(url), TypeError);
});
