import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConfigurationError, loadEngine } from '../../../js/src/index.js';
import { pluginNames } from '../../../web/src/editor/known_values.js';
import { documentPlace } from '../../../web/src/editor/types.js';
import { ARTIFACTS } from '../../support/targets.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });
const HEAD = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

/** @param {object} profile @returns {string} the engine's error */
function refusal(profile) {
  try {
    engine.createScheduler({ configuration: { ...HEAD, profiles: [profile] } }).dispose();
    return '';
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.message;
  }
}

const POINTS = [
  ...['preEnqueue', 'queueSort', 'preFilter', 'filter', 'postFilter', 'preScore', 'score'],
  ...['reserve', 'permit', 'preBind', 'bind', 'postBind'],
];

test('the plugins that are offered at a point are those that the engine accepts there', () => {
  const all = pluginNames(['profiles', 0, 'plugins', 'multiPoint', 'enabled', 0, 'name']);
  assert.equal(all.length, 20);
  for (const point of POINTS) {
    const offered = pluginNames(['profiles', 0, 'plugins', point, 'enabled', 0, 'name']);
    for (const name of all) {
      const said = refusal({ plugins: { [point]: { enabled: [{ name }] } } });
      assert.equal(
        /does not extend|does not exist/.test(said),
        !offered.includes(name),
        `${point} ${name}: ${said}`,
      );
    }
  }
});

test('the engine knows the arguments that are offered', () => {
  for (const name of pluginNames(['profiles', 0, 'pluginConfig', 0, 'name'])) {
    const said = refusal({ pluginConfig: [{ name, args: { nothing: 1 } }] });
    assert.match(said, new RegExp(`decoding args for plugin ${name}: .*unknown field "nothing"`));
  }
});

/**
 * A value with every field of its type.
 * @param {import('../../../js/apiserver/schema/types.js').Shape} shape
 * @returns {any}
 */
function whole(shape) {
  if (shape.kind === 'list') return [whole(shape.element)];
  if (shape.kind !== 'struct' || !shape.struct.name.startsWith('config/')) return null;
  const fields = [...shape.struct.fields.values()];
  return Object.fromEntries(fields.map((field) => [field.name, whole(field.shape)]));
}

test('the engine knows every field that is offered', () => {
  const document = { ...whole(documentPlace('configuration', null).shape), ...HEAD };
  assert.ok(document.profiles[0].plugins.placementScore.enabled && document.extenders[0].tlsConfig);
  assert.throws(
    () => engine.createScheduler({ configuration: document }),
    (/** @type {Error} */ { message }) => !message.includes('unknown field'),
  );
});
