import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  ConfigurationError,
  PluginError,
  skip,
  unresolvable,
  unschedulable,
} from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

/** @param {object[]} plugins as `[name, weight?]` @param {object} [profile] */
function enabling(plugins, profile = {}) {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: plugins } }, ...profile }],
  };
}

/** @typedef {import('../../../js/src/index.js').Plugin} Plugin */

const cluster = [
  makeNode('a', { labels: { tier: 'gold' } }),
  makeNode('b', { labels: { tier: 'lead' } }),
  makeNode('c'),
];

/** Faults of plugins, with the resulting message. */
const FAULTS = /** @type {[object, RegExp][]} */ ([
  [
    {
      filter: () => {
        throw new Error('boom');
      },
    },
    /^running "Bad" filter plugin: .*"Bad" failed in filter.* for pod default\/p: boom$/,
  ],
  [{ filter: async () => {} }, /must answer at once, not with a promise/],
  [{ filter: () => ({ code: 'Maybe' }) }, /a status must be undefined or have a code among/],
  [{ filter: () => 'no' }, /a status must be undefined/],
  [
    { filter: () => ({ code: 'Unschedulable', reasons: 'no' }) },
    /reasons of a status must be a list/,
  ],
  [{ filterChunk: () => [] }, /filterChunk must return \d+ statuses/],
  [
    { preFilter: () => ({ nodeNames: 'a' }) },
    /^running PreFilter plugin "Bad": .*nodeNames must be a list of strings/,
  ],
  [
    { score: () => 1.5 },
    /^running Score plugins: plugin "Bad" failed with: .*a score must be an integer, not 1.5/,
  ],
  [{ score: () => 101 }, /plugin "Bad" returns an invalid score 101/],
  [
    {
      score: () => 1,
      normalizeScore: (/** @type {any} */ s, /** @type {any} */ p, /** @type {any[]} */ scores) => {
        scores.pop();
      },
    },
    /keep all of them/,
  ],
  [
    {
      preScore: () => {
        throw 'a text';
      },
    },
    /^running PreScore plugin "Bad": .* for pod default\/p: a text$/,
  ],
  [
    {
      reserve: () => {
        throw new Error('full');
      },
    },
    /^running Reserve plugin "Bad": plugin "Bad" failed in reserve for pod default\/p: full$/,
  ],
]);

const LATE = async () => {
  throw new Error('late');
};
const REFUSING = () => unschedulable('no');

/** Plugins that answer later where they must answer at once, by the method in question. */
const LATE_ANSWERS = /** @type {[string, object][]} */ ([
  ...['preEnqueue', 'preFilter', 'filter', 'filterChunk', 'preScore', 'score', 'reserve'].map(
    (method) => [method, { [method]: LATE }],
  ),
  ['permit', { permit: LATE }],
  ['filterChunk', { filterChunk: (/** @type {any} */ s, p, nodes) => nodes.map(LATE) }],
  ['normalizeScore', { score: () => 1, normalizeScore: LATE }],
  ['postFilter', { filter: REFUSING, postFilter: LATE }],
  ['unreserve', { permit: REFUSING, unreserve: LATE }],
]);

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();
  /** @param {Plugin} plugin @param {object} [options] @param {object[]} [objects] */
  const start = (plugin, options = {}, objects = [...cluster, makePod('p')]) => {
    const scheduler = engine.createScheduler({
      plugins: [plugin],
      configuration: enabling([{ name: plugin.name, weight: 100 }]),
      ...options,
    });
    scheduler.apply(objects);
    return scheduler;
  };
  /** @param {Plugin} plugin @param {object} [options] @param {object[]} [objects] */
  const decide = async (plugin, options, objects) => {
    const scheduler = start(plugin, options, objects);
    const decisions = await scheduler.schedule();
    scheduler.dispose();
    return decisions;
  };

  for (const detail of ['summary', 'nodes']) {
    test(`${target}: a filter refuses nodes in its own words (${detail})`, async () => {
      /** @type {Plugin} */
      const plugin = {
        name: 'Gold',
        filter: (state, pod, { node }) =>
          node.metadata.labels.tier === pod.metadata.labels?.tier
            ? undefined
            : unresolvable('node(s) had another tier'),
      };
      const gold = makePod('gold', { metadata: { labels: { tier: 'gold' } } });
      const iron = makePod('iron', { metadata: { labels: { tier: 'iron' } } });
      const [first, second] = await decide(plugin, { detail }, [...cluster, gold, iron]);
      assert.equal(first.node, 'a');
      assert.equal(
        second.message,
        '0/3 nodes are available: 3 node(s) had another tier. no new claims to deallocate, ' +
          'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
      );
      assert.deepEqual(second.unschedulablePlugins, ['Gold']);
    });
  }

  test(`${target}: filterChunk sees many nodes at a time`, async () => {
    /** @type {number[]} */
    const sizes = [];
    /** @type {Plugin} */
    const plugin = {
      name: 'Odd',
      filterChunk: (state, pod, nodes) => {
        sizes.push(nodes.length);
        return nodes.map(({ name }) =>
          Number(name.slice(1)) % 2 === 0 ? unschedulable('node(s) were even') : undefined,
        );
      },
    };
    const nodes = Array.from({ length: 90 }, (_, index) => makeNode(`n${index}`));
    const [decision] = await decide(plugin, {}, [...nodes, makePod('p')]);
    assert.deepEqual(sizes, [64, 26]);
    assert.equal(decision.feasibleNodes, 45);
    assert.equal(Number(decision.node?.slice(1)) % 2, 1);
  });

  test(`${target}: preFilter narrows, skips and passes on`, async () => {
    /** @type {Plugin} */
    const plugin = {
      name: 'Narrow',
      preFilter: (state, pod, nodes) => {
        if (pod.metadata.name === 'free') return skip();
        if (pod.metadata.name === 'nowhere') return unresolvable('nothing for you');
        state.set('seen', nodes.map(({ name }) => name).sort());
        return { nodeNames: ['c'] };
      },
      filter: (state, pod) => {
        assert.notEqual(pod.metadata.name, 'free', 'skipped');
        assert.deepEqual(state.get('seen'), ['a', 'b', 'c']);
      },
    };
    const pods = ['bound', 'free', 'nowhere'].map((name) => makePod(name));
    const [bound, free, nowhere] = await decide(plugin, {}, [...cluster, ...pods]);
    assert.deepEqual([bound.node, bound.feasibleNodes], ['c', 1]);
    assert.equal(free.feasibleNodes, 3);
    assert.match(nowhere.message ?? '', /^0\/3 nodes are available: nothing for you\./);
  });

  test(`${target}: scores, normalized, decide`, async () => {
    /** @type {Plugin} */
    const plugin = {
      name: 'Prefer',
      preScore: (state, pod, nodes) => {
        state.set('count', nodes.length);
      },
      score: (state, pod, { name }) => ({ a: 1000, b: 3000, c: 2000 })[name] * state.get('count'),
      normalizeScore: (state, pod, scores) => {
        const most = Math.max(...scores.map(({ score }) => score));
        for (const entry of scores) entry.score = Math.round((100 * entry.score) / most);
      },
    };
    const [decision] = await decide(plugin, { detail: 'nodes' });
    assert.equal(decision.node, 'b');
    assert.deepEqual(decision.rawScores?.Prefer, [3000, 9000, 6000]);
    assert.deepEqual(decision.scores?.Prefer, [3300, 10000, 6700]);
    const [quick] = await decide(plugin);
    assert.equal(quick.node, 'b');
  });

  test(`${target}: nodeInfo is the node with its pods, kept while nothing changes`, async () => {
    /** @type {any[]} */
    const seen = [];
    /** @type {Plugin} */
    const plugin = {
      name: 'Look',
      filter: (state, pod, nodeInfo) => {
        seen.push(nodeInfo);
      },
    };
    const running = makePod('o', { cpu: '1500m', spec: { nodeName: 'a', nodeSelector: {} } });
    const scheduler = start(plugin, {}, [...cluster, running, makePod('p'), makePod('q')]);
    const [first] = await scheduler.schedule({ maxAttempts: 1 });
    const before = new Map(seen.splice(0).map((info) => [info.name, info]));
    const { node, allocatable, requested, pods } = before.get('a');
    assert.equal(node.metadata.labels.tier, 'gold');
    assert.deepEqual([allocatable.cpu, allocatable.pods], [4000, 110]);
    assert.deepEqual([requested.cpu, requested.pods], [1500, 1]);
    assert.deepEqual(
      pods.map((/** @type {any} */ pod) => [pod.metadata.name, pod.spec.nodeName]),
      [['o', 'a']],
    );
    assert.ok(Object.isFrozen(node.metadata.labels));
    assert.throws(() => {
      node.metadata.labels.tier = 'x';
    }, TypeError);
    await scheduler.schedule();
    for (const info of seen) {
      assert.equal(info === before.get(info.name), info.name !== first.node, info.name);
    }
    const changed = seen.find(({ name }) => name === first.node);
    assert.ok(changed.pods.some((/** @type {any} */ pod) => pod.metadata.name === 'p'));
    scheduler.dispose();
  });

  test(`${target}: dry runs tell a plugin which pods come and go`, async () => {
    /** @type {Plugin} */
    const plugin = {
      name: 'OnePerApp',
      preFilter: (state, pod, nodes) => {
        const apps = nodes.map(({ name, pods }) => [
          name,
          pods.map((/** @type {any} */ one) => one.metadata.name),
        ]);
        const byNode = new Map(/** @type {any} */ (apps));
        const counts = {
          byNode,
          clone: () => ({ ...counts, byNode: new Map(structuredClone([...byNode])) }),
        };
        state.set('apps', counts);
      },
      removePod: (state, pod, gone, { name }) => {
        const { byNode } = state.get('apps');
        byNode.set(
          name,
          byNode.get(name).filter((/** @type {string} */ one) => one !== gone.metadata.name),
        );
      },
      addPod: (state, pod, come, { name }) => {
        state.get('apps').byNode.get(name).push(come.metadata.name);
      },
      filter: (state, pod, { name }) =>
        state.get('apps').byNode.get(name).length > 0
          ? unschedulable('node(s) were taken')
          : undefined,
    };
    const low = (/** @type {string} */ name, /** @type {string} */ node) =>
      makePod(name, { cpu: '1', spec: { nodeName: node } });
    const objects = [makeNode('a'), makeNode('b'), low('x', 'a'), low('y', 'a'), low('z', 'b')];
    const vip = makePod('vip', { spec: { priority: 5 } });
    const decisions = await decide(plugin, {}, [...objects, vip]);
    const [first, second] = decisions.filter(({ result }) => result !== 'gated');
    assert.deepEqual(first.preemption?.victims, ['default/z']);
    assert.equal(second.node, 'b');
  });

  test(`${target}: a state that cannot be cloned fails its pod, not the engine`, async () => {
    /** @type {PluginError[]} */
    const told = [];
    /** @type {Plugin} */
    const plugin = {
      name: 'Stiff',
      preFilter: (state) =>
        void state.set('note', {
          clone() {
            throw new Error('not to be copied');
          },
        }),
      filter: () => undefined,
    };
    const objects = [
      makeNode('a', { cpu: '2' }),
      makePod('low', { cpu: '2', spec: { nodeName: 'a' } }),
      makePod('vip', { cpu: '2', spec: { priority: 5 } }),
    ];
    const onPluginError = (/** @type {PluginError} */ error) => told.push(error);
    const [decision] = await decide(plugin, { onPluginError }, objects);
    assert.deepEqual([decision.pod, decision.node], ['default/vip', null]);
    assert.match(decision.message ?? '', /"Stiff" failed in \w+ for pod default\/vip: not to be/);
    assert.deepEqual([told[0].plugin, told[0].pod], ['Stiff', 'default/vip']);
    assert.equal(engine.failure, null);
  });

  test(`${target}: postFilter may nominate`, async () => {
    /** @type {Map<string, any>[]} */
    const asked = [];
    /** @type {Plugin} */
    const plugin = {
      name: 'Nominate',
      filter: () => unschedulable('no'),
      postFilter: (state, pod, nodeToStatus) => {
        asked.push(nodeToStatus);
        return { nominatedNodeName: 'b' };
      },
    };
    const configuration = enabling([{ name: 'Nominate' }], {});
    configuration.profiles[0].plugins.postFilter = {
      disabled: [{ name: '*' }],
      enabled: [{ name: 'Nominate' }],
    };
    const [decision] = await decide(plugin, { configuration });
    assert.equal(decision.nominatedNodeName, 'b');
    assert.deepEqual(asked[0].get('c'), {
      code: 'Unschedulable',
      reasons: ['no'],
      plugin: 'Nominate',
    });
  });

  test(`${target}: reserve may object, and all is undone`, async () => {
    /** @type {string[]} */
    const log = [];
    /** @type {Plugin} */
    const plugin = {
      name: 'Book',
      events: [],
      preFilter: (state) => {
        state.set('from', 'preFilter');
      },
      reserve: (state, pod, nodeName) => {
        log.push(`reserve ${nodeName} ${state.get('from')}`);
        return pod.metadata.name === 'p' ? unschedulable('no seat') : undefined;
      },
      unreserve: (state, pod, nodeName) => {
        log.push(`unreserve ${nodeName}`);
      },
    };
    const [refused, placed] = await decide(plugin, {}, [...cluster, makePod('p'), makePod('q')]);
    assert.deepEqual([refused.result, refused.node], ['unschedulable', null]);
    assert.equal(refused.message, '0/1 nodes are available: 1 no seat.');
    assert.deepEqual(refused.unschedulablePlugins, ['Book']);
    assert.equal(placed.result, 'scheduled');
    assert.deepEqual(
      log.map((line) => line.split(' ')[0]),
      ['reserve', 'unreserve', 'reserve'],
    );
    assert.match(log[0], /preFilter$/);
  });

  test(`${target}: a fault of a plugin is an error that names the plugin and the pod`, async () => {
    for (const [methods, want] of FAULTS) {
      /** @type {PluginError[]} */
      const told = [];
      const plugin = /** @type {Plugin} */ ({ name: 'Bad', ...methods });
      const [decision] = await decide(plugin, {
        onPluginError: (/** @type {PluginError} */ error) => told.push(error),
      });
      assert.equal(decision.result, 'error', String(want));
      assert.match(decision.message ?? '', want);
      if (/invalid score/.test(decision.message ?? '')) continue;
      assert.ok(told[0] instanceof PluginError);
      assert.deepEqual([told[0].plugin, told[0].pod], ['Bad', 'default/p']);
    }
  });

  test(`${target}: a promise where none may be is reported, and ends nothing`, async () => {
    for (const [method, methods] of LATE_ANSWERS) {
      /** @type {string[]} */
      const told = [];
      const plugin = /** @type {Plugin} */ ({ name: 'Bad', ...methods });
      await decide(plugin, {
        onPluginError: (/** @type {PluginError} */ { message }) => told.push(message),
      });
      // Rejections that are handled by then never become unhandled.
      await new Promise((resolve) => void setImmediate(resolve));
      assert.notEqual(told.length, 0, method);
      for (const message of told) assert.match(message, /must answer at once/, method);
    }
  });

  test(`${target}: a plugin cannot re-enter the engine, which stays usable`, async () => {
    /** @type {any} */
    let scheduler;
    /** @type {Plugin} */
    const plugin = { name: 'Nosy', filter: () => scheduler.run() };
    scheduler = start(plugin);
    const [decision] = await scheduler.schedule();
    assert.match(decision.message, /run was called from inside another call of the same engine/);
    assert.equal(scheduler.inspect().cache.nodes, 3);
    scheduler.dispose();
  });

  test(`${target}: create gets the arguments of each profile`, async () => {
    /** @type {Plugin} */
    const plugin = {
      name: 'Label',
      create: ({ tier = 'none' } = {}, handle) => ({
        filter: (state, pod, { node }) =>
          node.metadata.labels.tier === tier
            ? undefined
            : unschedulable(`node(s) were not ${tier} of ${handle.schedulerName}`),
      }),
    };
    const profileOf = (/** @type {string} */ schedulerName, /** @type {string} */ tier) => ({
      schedulerName,
      plugins: { multiPoint: { enabled: [{ name: 'Label' }] } },
      pluginConfig: [{ name: 'Label', args: { tier } }],
    });
    const configuration = {
      ...enabling([]),
      profiles: [profileOf('one', 'gold'), profileOf('two', 'lead')],
    };
    const pods = ['one', 'two'].map((name) => makePod(name, { spec: { schedulerName: name } }));
    const text = JSON.stringify(configuration);
    for (const form of [configuration, text, new TextEncoder().encode(text)]) {
      const decisions = await decide(plugin, { configuration: form }, [...cluster, ...pods]);
      assert.deepEqual(
        decisions.map(({ node }) => node),
        ['a', 'b'],
      );
    }
  });

  test(`${target}: plugins that cannot be`, () => {
    const cases = /** @type {[any, RegExp][]} */ ([
      [[null], /plugins\[0\]: Invalid value: must be an object/],
      [[{ filter() {} }], /plugins\[0\]: name: Required value/],
      [[{ name: 'X' }], /plugin "X" has none of/],
      [[{ name: 'X', filter: 1 }], /filter: Invalid value: must be a function/],
      [
        [
          { name: 'X', filter() {} },
          { name: 'X', filter() {} },
        ],
        /plugins\[1\]: name: Duplicate value: "X"/,
      ],
      [[{ name: 'NodeName', filter() {} }], /Duplicate value: "NodeName"/],
    ]);
    for (const [plugins, want] of cases) {
      assert.throws(
        () => engine.createScheduler({ plugins }),
        (error) => error instanceof ConfigurationError && want.test(error.message),
        String(want),
      );
    }
    const throwing = {
      name: 'X',
      create: () => {
        throw new Error('no license');
      },
    };
    assert.throws(() => engine.createScheduler({ plugins: [throwing] }), PluginError);
    assert.throws(
      () => start({ name: 'X', filter() {} }, { configuration: enabling([{ name: 'Y' }]) }),
      ConfigurationError,
    );
    const scoreOnly = enabling([]);
    scoreOnly.profiles[0].plugins.filter = { enabled: [{ name: 'X' }] };
    assert.throws(() => start({ name: 'X', score: () => 1 }, { configuration: scoreOnly }), /X/);
  });

  test(`${target}: evaluations ask plugins too`, () => {
    /** @type {Plugin} */
    const plugin = {
      name: 'No',
      filter: (state, pod, { name }) => (name === 'b' ? undefined : unschedulable('no')),
    };
    const scheduler = start(plugin);
    const evaluation = scheduler.evaluate('default/p', { detail: 'table' });
    assert.equal(evaluation.node, 'b');
    assert.deepEqual(evaluation.filter, [
      { plugin: 'No', code: 'Unschedulable', reasons: ['no'], nodes: ['a', 'c'] },
    ]);
    assert.ok(evaluation.table?.plugins.includes('No'));
    scheduler.dispose();

    const refusing = start({ name: 'No', filter: () => unresolvable('no') });
    const fits = (/** @type {object} */ pod) => refusing.evaluate(pod, { classify: true }).fits;
    assert.equal(fits(makePod('q')), 'NotNow', 'its inputs are unknown');
    assert.equal(fits(makePod('q', { cpu: '99' })), 'Never');
    refusing.dispose();
  });
}
