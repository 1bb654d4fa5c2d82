// Goal: health endpoints answer as apiserver's healthz does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthResponse } from '../../../js/src/live/health.js';

const well = { name: 'informer-sync', check: () => undefined };
const ill = { name: 'leaderElection', check: () => 'failed election to renew' };

test('the table of answers', async () => {
  for (const [path, checks, status, text] of /** @type {[string, any[], number, string][]} */ ([
    ['/healthz', [], 200, 'ok'],
    ['/livez?verbose', [], 200, '[+]ping ok\nlivez check passed\n'],
    ['/readyz', [well], 200, 'ok'],
    ['/readyz/', [well], 200, 'ok'],
    ['/readyz?verbose', [well], 200, '[+]informer-sync ok\nreadyz check passed\n'],
    [
      '/readyz',
      [well, ill],
      500,
      '[+]informer-sync ok\n[-]leaderElection failed: reason withheld\nreadyz check failed\n',
    ],
    ['/readyz?exclude=leaderElection', [well, ill], 200, 'ok'],
    [
      '/readyz?verbose&exclude=leaderElection&exclude=b&exclude=a',
      [well, ill],
      200,
      '[+]informer-sync ok\n[+]leaderElection excluded: ok\n' +
        'warn: some health checks cannot be excluded: no matches for "a","b"\n' +
        'readyz check passed\n',
    ],
    ['/readyz/informer-sync', [well, ill], 200, 'ok'],
    [
      '/readyz/leaderElection',
      [well, ill],
      500,
      'internal server error: failed election to renew\n',
    ],
    ['/readyz/other', [well], 404, '404 page not found\n'],
  ])) {
    const url = new URL(path, 'http://localhost');
    const response = healthResponse(path.slice(1).split(/[/?]/)[0], checks, url);
    assert.equal(response.status, status, path);
    assert.equal(await response.text(), text, path);
    assert.equal(response.headers.get('Content-Type'), 'text/plain; charset=utf-8');
  }
});
