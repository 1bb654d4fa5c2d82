// Goal: the examples of the README run. Method: each runs as written, on the module of this build.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../../', import.meta.url);
const readme = readFileSync(new URL('js/src/whatif/README.md', root), 'utf8');
const examples = [...readme.matchAll(/^## (\w+)[^\n]*\n\n```js\n(.*?)```/gms)];

/** What the examples print. @type {Record<string, RegExp>} */
const PRINTED = {
  fix: /^Lower the pod's request for cpu from 6 to 4\. a\n$/,
  classify: /^Never the node is too small even when it is empty\n$/,
  upgradeDiff: /^default\/web Told taint-text, DynamicResourceAllocation 2\n$/,
  evaluateAll: /^unschedulable 2 default\/worker 0\/2 nodes .*\. true\ncannot start: 2 of 3 pods/,
  contrast: /^TaintToleration add a toleration of the taint old:PreferNoSchedule to the pod\n$/,
};

for (const [, name, code] of examples.filter(([, name]) => name in PRINTED)) {
  test(`the example of ${name} runs`, () => {
    const here = code
      .replace("'stowage'", JSON.stringify(new URL('js/src/index.js', root).href))
      .replace("'stowage/whatif'", JSON.stringify(new URL('js/src/whatif.js', root).href));
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', here], {
      encoding: 'utf8',
    });
    assert.match(output, PRINTED[name]);
  });
}

test('each question has an example', () => {
  const named = examples.map(([, name]) => name);
  for (const name of Object.keys(PRINTED)) assert.ok(named.includes(name), name);
});
