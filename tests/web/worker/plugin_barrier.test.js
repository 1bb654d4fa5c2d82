// Goal: no plugin runs in a frame, or where a cluster's API is served. Method: servers that are
// functions.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PluginBarrier } from '../../../web/src/worker/plugin_barrier.js';

const origin = 'https://playground.example';

/** @param {() => Response} answer @param {boolean} [isFramed] */
function barrier(answer, isFramed = false) {
  /** @type {string[]} */
  const asked = [];
  const fetch = async (/** @type {URL} */ url) => {
    asked.push(url.href);
    return answer();
  };
  return { asked, it: new PluginBarrier({ isFramed, origin, fetch }) };
}

const nothing = () => new Response('not found', { status: 404 });

test('a site without an API allows plugins, and is asked once', async () => {
  const { asked, it } = barrier(nothing);
  assert.equal(await it.reason(false), '');
  assert.match(await it.reason(true), /while the page follows a live cluster/);
  assert.deepEqual(asked, ['https://playground.example/version']);
  for (const answer of [
    () => new Response('<!doctype html>'),
    () => Response.json(null),
    () => Response.json({ version: '1.2.3' }),
    () => {
      throw new TypeError('Failed to fetch');
    },
  ])
    assert.equal(await barrier(answer).it.reason(false), '');
});

test('a server with an API forbids plugins, even if it refuses requests', async () => {
  for (const answer of [
    () => Response.json({ major: '1', gitVersion: 'v1.36.0' }),
    () => Response.json({ kind: 'Status', code: 401 }, { status: 401 }),
  ])
    assert.match(await barrier(answer).it.reason(false), /also serves the API of a cluster/);
});

test('a frame forbids plugins without a request', async () => {
  const { asked, it } = barrier(nothing, true);
  assert.match(await it.reason(false), /in a frame/);
  assert.deepEqual(asked, []);
});
