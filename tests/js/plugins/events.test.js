import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConfigurationError } from '../../../js/src/index.js';
import { PluginEvents } from '../../../js/src/plugins/events.js';

/** @param {Record<string, any>} events by profile */
function eventsOf(events) {
  const methods = Object.entries(events).map(([profile, own]) => [profile, { events: own }]);
  return new PluginEvents(new Map(/** @type {any} */ (methods)), 'plugins[3]');
}

/** @param {PluginEvents} events @param {string} profile @param {number} event */
const ask = (events, profile, event) =>
  events.hint({ profile, event, pod: {}, oldObject: null, newObject: null });

const nodeAdd = { resource: 'Node', actionType: ['Add'] };
const skipping = { ...nodeAdd, queueingHint: () => 'QueueSkip' };
const foo = { resource: 'foos.v1.example.com', actionType: ['Add', 'Update'] };

test('an event that several profiles register is declared once, whatever their hints', () => {
  const events = eventsOf({ one: [nodeAdd, foo], two: [skipping, foo] });
  assert.deepEqual(events.declarations, [
    { ...nodeAdd, hint: true },
    { ...foo, hint: false },
  ]);
  assert.deepEqual(
    [ask(events, 'one', 0), ask(events, 'two', 0), ask(events, 'two', 1)],
    ['Queue', 'QueueSkip', 'Queue'],
  );
});

test('an event of another profile helps no pod of this one', () => {
  const events = eventsOf({ one: [nodeAdd], two: [foo] });
  assert.deepEqual(
    events.declarations?.map(({ hint }) => hint),
    [true, true],
  );
  const answers = ['one', 'two', 'three'].map((name) => [
    ask(events, name, 0),
    ask(events, name, 1),
  ]);
  assert.deepEqual(answers, [
    ['Queue', 'QueueSkip'],
    ['QueueSkip', 'Queue'],
    ['QueueSkip', 'QueueSkip'],
  ]);
});

test('an event that is there twice has two hints', () => {
  const events = eventsOf({ one: [nodeAdd, skipping] });
  assert.deepEqual(events.declarations, [
    { ...nodeAdd, hint: false },
    { ...nodeAdd, hint: true },
  ]);
  assert.deepEqual([ask(events, 'one', 0), ask(events, 'one', 1)], ['Queue', 'QueueSkip']);
});

test('a plugin without events() gets all events, one with [] none', () => {
  assert.equal(eventsOf({ one: undefined }).declarations, undefined);
  assert.equal(eventsOf({ one: [nodeAdd], two: undefined }).declarations, undefined);
  assert.deepEqual(eventsOf({ one: [] }).declarations, []);
});

test('a hint gets the pod and the object before and after, and says one of two words', () => {
  /** @type {any[]} */
  const seen = [];
  const answers = ['Queue', 'yes', undefined, true];
  const queueingHint = (/** @type {any[]} */ ...args) => {
    seen.push(args);
    return answers.shift();
  };
  const events = eventsOf({ one: [{ ...nodeAdd, queueingHint }] });
  const request = { profile: 'one', event: 0, pod: 'p', oldObject: null, newObject: 'new' };
  assert.equal(events.hint(request), 'Queue');
  assert.deepEqual(seen, [['p', undefined, 'new']]);
  for (const said of ['yes', undefined, true]) {
    assert.throws(() => events.hint(request), {
      name: 'TypeError',
      message: `a queueing hint must be Queue or QueueSkip, not ${said}`,
    });
  }
});

test('invalid events are reported with their path', () => {
  const cases = /** @type {[any, string, RegExp][]} */ ([
    ['Node', '', /must be a list/],
    [[null], '[0]', /resource: Required value/],
    [[nodeAdd, { actionType: ['Add'] }], '[1]', /resource: Required value/],
    [[{ resource: 'Nodes', actionType: ['Add'] }], '[0]', /Unsupported value: "Nodes"/],
    [[{ resource: 'AssignedPod', actionType: ['Add'] }], '[0]', /Unsupported value/],
    [[{ resource: 'foos.example', actionType: ['Add'] }], '[0]', /plural\.version\.group/],
    [[{ resource: 'Node' }], '[0]', /actionType: Required value/],
    [[{ resource: 'Node', actionType: [] }], '[0]', /actionType: Required value/],
    [[{ resource: 'Node', actionType: 'Add' }], '[0]', /actionType: Required value/],
    [[{ resource: 'Node', actionType: ['Add', 'Remove'] }], '[0]', /value: "Remove": supported/],
    [[{ ...nodeAdd, queueingHint: true }], '[0]', /queueingHint: .* must be a function/],
  ]);
  for (const [events, place, want] of cases) {
    assert.throws(
      () => eventsOf({ one: events }),
      (error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.equal(error.errors[0].field, `plugins[3].events${place}`);
        assert.match(error.message, want);
        return true;
      },
    );
  }
  for (const resource of ['*', 'storage.k8s.io/CSINode', 'services.v1.', 'foos.v1beta1.a.b.c']) {
    eventsOf({ one: [{ resource, actionType: ['All'] }] });
  }
});
