import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { openBrowser } from '../../../js/src/cli/open_browser.js';

/** @param {string} event that comes of it */
function starting(event) {
  /** @type {any[]} */
  const started = [];
  const start = /** @type {any} */ (
    (/** @type {string} */ program, /** @type {string[]} */ args, /** @type {any} */ options) => {
      started.push([program, ...args]);
      assert.equal(options.shell, undefined);
      const child = Object.assign(new EventEmitter(), { unref: () => {} });
      setImmediate(() => child.emit(event, new Error('ENOENT')));
      return child;
    }
  );
  return { started, start };
}

test('each system has its program, and no shell reads the address', async () => {
  const url = 'http://127.0.0.1:8001/playground/?a=b&c';
  for (const [platform, want] of /** @type {const} */ ([
    ['linux', ['xdg-open', url]],
    ['darwin', ['open', url]],
    ['win32', ['rundll32', 'url.dll,FileProtocolHandler', url]],
  ])) {
    const { started, start } = starting('spawn');
    assert.equal(await openBrowser(url, { platform, start }), true);
    assert.deepEqual(started, [want]);
  }
});

test('a missing program is reported as false', async () => {
  const { start } = starting('error');
  assert.equal(await openBrowser('http://127.0.0.1/', { platform: 'linux', start }), false);
});
