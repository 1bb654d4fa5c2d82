// Goal: the examples of the README run. Method: each runs as written, on the module of this build.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../../', import.meta.url);
const readme = readFileSync(new URL('js/src/whatif/README.md', root), 'utf8');
const sections = readme.split(/^##? /m).slice(1);
const examples = sections.flatMap((section) => {
  const [, name] = /^`?([\w/]+)/.exec(section) ?? [];
  return [...section.matchAll(/^```js\n(.*?)```/gms)].map(([, code]) => [name, code]);
});

/** What the examples print, by their section. @type {Record<string, RegExp>} */
const PRINTED = {
  'stowage/whatif': /^1 default\/web-x a b\ntrue default\/web-y a\n$/,
  sweep: /^zone\/east: 1 waits: 0\/1 nodes are available: 1 Insufficient cpu\. .*\n$/,
  survives: /^$/,
  plan: /^2\.75 1 1 true\n$/,
  fix: /^Lower the pod's request for cpu from 6 to 4\. a\n$/,
  classify: /^Never the node is too small even when it is empty\n$/,
  upgradeDiff: /^default\/web Told taint-text, DynamicResourceAllocation 2\n$/,
  evaluateAll: /^unschedulable 2 default\/worker 0\/2 nodes .*\. true\ncannot start: 2 of 3 pods/,
  contrast: /^TaintToleration add a toleration of the taint old:PreferNoSchedule to the pod\n$/,
};

for (const [name, code] of examples) {
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

test('each example is tried', () => {
  assert.deepEqual(examples.map(([name]) => name).sort(), Object.keys(PRINTED).sort());
});
