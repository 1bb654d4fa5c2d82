// Goal: `stowage up` serves a cluster and schedules it, takes one from files, and ends with its
// signal, with nothing left. Method: the native engine, on a real port.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DecisionLines } from '../../../../js/src/cli/up/decision_lines.js';
import { sampleCluster } from '../../../../js/src/cli/up/sample_cluster.js';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod } from '../../support/objects.js';
import { startNative } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const { engine } = await startNative();
const { folder, file } = await makeFolder();
const loadEngine = async () => engine;
const DUMP = fileURLToPath(
  new URL('../../../../examples/small-cluster/cluster.json', import.meta.url),
);

/** How long anything may take that is waited for: milliseconds. */
const PATIENCE = 30_000;

/**
 * Runs the command until its output says what is waited for, asks it, and tells it to end.
 * @param {string[]} argv
 * @param {{ until?: RegExp, ask?: (url: string) => Promise<any>, connections?: object,
 *   playgroundFolder?: string, openBrowser?: (url: string) => Promise<boolean> }} [options]
 */
async function runUp(argv, { until = /NAMESPACE/, ask, ...surroundings } = {}) {
  const stop = new AbortController();
  /** @type {any} */
  let answer;
  let isSeen = false;
  const result = await runCli(['up', '--port', '0', ...argv], {
    loadEngine,
    ...surroundings,
    signal: stop.signal,
    async onWrite(_stderr, stdout) {
      if (isSeen || !until.test(stdout)) return;
      isSeen = true;
      const [url] = /http:\/\/[^\s.]+[.\d]*:\d+/.exec(stdout) ?? [''];
      try {
        answer = await ask?.(url);
      } finally {
        stop.abort();
      }
    },
  });
  return { ...result, answer };
}

const items = async (/** @type {string} */ url, /** @type {string} */ path) =>
  (await (await fetch(url + path)).json()).items;

test('without files there is a sample, which is scheduled and served', async () => {
  const { code, stdout, stderr, answer } = await runUp([], {
    until: /default +giant\S+ +Unschedulable[^]*agent\S+ +Scheduled/,
    ask: async (url) => ({
      url,
      nodes: await items(url, '/api/v1/nodes'),
      pods: await items(url, '/api/v1/pods'),
      deployments: await items(url, '/apis/apps/v1/deployments'),
    }),
  });
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  const { url, nodes, pods, deployments } = answer;
  assert.equal(nodes.length, 6);
  assert.match(stdout, /^A cluster of 6 nodes is served at http:\/\/127\.0\.0\.1:\d+\. Try:\n/);
  assert.ok(stdout.includes(`\n  kubectl --server ${url} get pods\n`));
  assert.match(stdout, /\nNAMESPACE +POD +RESULT +NODE +MESSAGE\n/);
  assert.match(stdout, /giant\S+ +Unschedulable +<none> +0\/6 nodes are available: /);
  assert.deepEqual(
    deployments.map((/** @type {any} */ { metadata }) => metadata.name),
    ['cache', 'checkout', 'giant', 'web'],
  );
  const web = pods.filter((/** @type {any} */ { metadata }) => metadata.labels.app === 'web');
  assert.equal(web.length, 4);
  await assert.rejects(fetch(`${url}/api/v1/pods`), 'the server has stopped');
});

test('the scheduler is of the release of --kubernetes-version, and says so', async () => {
  const line =
    'The scheduler is kube-scheduler v1.33, and /version says so; the API is that of v1.36.';
  const older = await runUp(['--kubernetes-version', '1.33']);
  assert.ok(older.stdout.split('\n').includes(line), older.stdout);
  assert.doesNotMatch((await runUp([])).stdout, /The scheduler is/);
  const reported = (/** @type {string} */ url) =>
    fetch(`${url}/version`).then(async (answer) => (await answer.json()).gitVersion);
  const cases = [
    ['1.34', 'v1.34.9'],
    ['1.36', 'v1.36.0'],
    ['1.37-preview', 'v1.37.0-preview'],
  ];
  for (const [release, expected] of cases) {
    const { answer } = await runUp(['--kubernetes-version', release], { ask: reported });
    assert.equal(answer, expected);
  }
});

test('the API has the feature gates of the scheduler', async () => {
  const tolerations = [{ key: 'sla', operator: 'Gt', value: '900', effect: 'NoSchedule' }];
  const taints = [{ key: 'sla', value: '950', effect: 'NoSchedule' }];
  const node = makeNode('a', { spec: { taints } });
  const sla = await file('sla.json', makeList(node, makePod('web', { spec: { tolerations } })));
  const on = ['--feature-gates', 'TaintTolerationComparisonOperators=true'];
  const { code, stderr, answer } = await runUp([sla, ...on], {
    until: /web +Scheduled/,
    ask: async (url) => {
      const pod = makePod('later', { spec: { tolerations } });
      const path = '/api/v1/namespaces/default/pods';
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify(pod);
      return (await fetch(`${url}${path}`, { method: 'POST', headers, body })).status;
    },
  });
  assert.deepEqual([code, stderr, answer], [0, '', 201]);
  const off = await runUp([sla]);
  assert.equal(off.code, 2);
  assert.match(off.stderr, /spec\.tolerations\[0\]\.operator: Unsupported value: "Gt"/);
  const spec = { resources: { requests: { cpu: '1' } } };
  const whole = await file('whole.json', makeList(makeNode('a'), makePod('web', { spec })));
  const stored = async (/** @type {string[]} */ ...flags) => {
    const ask = (/** @type {string} */ url) => items(url, '/api/v1/pods');
    const { answer } = await runUp([whole, ...flags], { until: /web +Scheduled/, ask });
    return answer[0].spec.resources?.requests.cpu;
  };
  assert.deepEqual(
    [await stored(), await stored('--kubernetes-version', '1.33')],
    ['1', undefined],
  );
});

test('pods run, unless there is no kubelet', async () => {
  const pod = await file('pod.json', makeList(makeNode('a'), makePod('web')));
  const until = /web +Scheduled/;
  const watch = async (/** @type {string} */ url) => {
    const answer = await fetch(`${url}/api/v1/pods?watch=true`);
    const reader = /** @type {any} */ (answer.body)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    for (let text = ''; ;) {
      const { value, done } = await reader.read();
      if (done) return text;
      text += value;
      if (text.includes('"phase":"Running"')) return text;
    }
  };
  const running = await runUp([pod], { until, ask: watch });
  assert.match(running.answer, /"phase":"Running"/);
  const bound = await runUp([pod, '--no-kubelet'], {
    until,
    ask: (url) => items(url, '/api/v1/pods'),
  });
  assert.deepEqual([bound.answer[0].spec.nodeName, bound.answer[0].status.phase], ['a', 'Pending']);
});

/**
 * Asks until it is so, or patience ends.
 * @template T
 * @param {() => Promise<T | false | undefined>} ask
 * @returns {Promise<T>}
 */
async function eventually(ask) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    assert.ok(performance.now() < end, `not so after ${PATIENCE} ms`);
  }
}

test('all controllers run: owners adopt objects, namespaces fill, empty and end', async () => {
  const { code, stderr, answer } = await runUp([], {
    until: /web\S+ +Scheduled/,
    ask: async (url) => {
      const send = async (/** @type {string} */ path, method = 'DELETE', body = {}) => {
        const headers = { 'Content-Type': 'application/json' };
        const sent = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
        assert.ok(sent.ok, await sent.text());
      };
      const names = async (/** @type {string} */ path) =>
        (await items(url, path)).map((/** @type {any} */ { metadata }) => metadata.name);
      await send('/api/v1/namespaces', 'POST', { metadata: { name: 'shop' } });
      const inside = '/api/v1/namespaces/shop';
      const contents = await eventually(async () => {
        const found = [
          ...(await names(`${inside}/serviceaccounts`)),
          ...(await names(`${inside}/configmaps`)),
        ];
        return found.length === 2 && found;
      });
      await send('/apis/apps/v1/namespaces/default/deployments/web');
      await send(inside);
      const left = await eventually(async () => {
        const sets = await names('/apis/apps/v1/replicasets');
        const pods = await names('/api/v1/pods');
        const namespaces = await names('/api/v1/namespaces');
        const isLeft = [...sets, ...pods].some((name) => name.startsWith('web-'));
        return !isLeft && !namespaces.includes('shop') && namespaces;
      });
      return { contents, left };
    },
  });
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(answer.contents, ['default', 'kube-root-ca.crt']);
  assert.deepEqual(answer.left, ['default', 'kube-node-lease', 'kube-public', 'kube-system']);
});

test('a preemptor is nominated while its victim takes its time to end', async () => {
  const high = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1000,
  };
  const slow = makePod('slow');
  slow.spec.containers[0].lifecycle = { preStop: { sleep: { seconds: 3 } } };
  const path = await file('slow.json', makeList(makeNode('a', { cpu: '1' }), high, slow));
  const { code, answer } = await runUp([path], {
    until: /slow +Scheduled/,
    ask: async (url) => {
      const pods = async () => {
        const found = await items(url, '/api/v1/namespaces/default/pods');
        return Object.fromEntries(found.map((/** @type {any} */ pod) => [pod.metadata.name, pod]));
      };
      await eventually(async () => (await pods()).slow.status.phase === 'Running');
      const vip = makePod('vip', { spec: { priorityClassName: 'high' } });
      await fetch(`${url}/api/v1/namespaces/default/pods`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(vip),
      });
      const during = await eventually(async () => {
        const both = await pods();
        return both.vip?.status.nominatedNodeName && both.slow?.metadata.deletionTimestamp && both;
      });
      const placed = await eventually(async () => {
        const left = await pods();
        return left.vip.spec.nodeName && left;
      });
      return { during, placed };
    },
  });
  assert.equal(code, 0);
  const { vip, slow: victim } = answer.during;
  assert.equal(vip.status.nominatedNodeName, 'a');
  assert.equal(vip.spec.nodeName, undefined);
  assert.equal(victim.status.phase, 'Running');
  const target = victim.status.conditions.find((/** @type {any} */ { type }) => {
    return type === 'DisruptionTarget';
  });
  assert.equal(target.reason, 'PreemptionByScheduler');
  assert.equal(answer.placed.vip.spec.nodeName, 'a');
  assert.equal(answer.placed.slow, undefined);
});

test('a cluster out of a file is taken as it is, and goes on from there', async () => {
  const thing = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'one' } };
  const other = await file('more/thing.yaml', JSON.stringify(thing));
  const { code, stderr, answer } = await runUp([DUMP, '-f', other, '--nodes', '2'], {
    until: /fill-\d+ +(Unschedulable|Scheduled)/,
    ask: async (url) => ({
      nodes: await items(url, '/api/v1/nodes'),
      pods: await items(url, '/api/v1/pods'),
    }),
  });
  assert.equal(code, 0, stderr);
  assert.equal(stderr, 'ignored: 1 Thing (example.org/v1), which is not served here\n');
  assert.equal(answer.nodes.length, 7);
  const placed = answer.pods.filter((/** @type {any} */ { spec }) => spec.nodeName);
  assert.ok(placed.length >= 37, `${placed.length} pods have nodes`);
});

test('a client of an earlier server lists again', async () => {
  const ask = async (/** @type {string} */ url) =>
    (await (await fetch(`${url}/api/v1/nodes`)).json()).metadata.resourceVersion;
  const first = await runUp([], { ask });
  const second = await runUp([], {
    ask: async (url) => {
      const query = `watch=true&timeoutSeconds=1&resourceVersion=${first.answer}`;
      const text = await (await fetch(`${url}/api/v1/nodes?${query}`)).text();
      return { version: await ask(url), event: JSON.parse(text) };
    },
  });
  const { version, event } = second.answer;
  assert.ok(BigInt(version) > BigInt(first.answer), `${version} after ${first.answer}`);
  assert.deepEqual([event.type, event.object.code], ['ERROR', 410]);
});

test('quiet prints the address alone', async () => {
  const { code, stdout, stderr } = await runUp(['-q'], { until: /\n/ });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\n$/);
});

test('it ends by itself after a time', async () => {
  const { code } = await runCli(['up', '--port', '0', '--for', '0'], { loadEngine });
  assert.equal(code, 0);
});

test('unreadable input is reported with its position, and nothing is served', async () => {
  const text = 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Pod\n';
  const broken = await file('broken.yaml', `${text}metadata: {name: B}\nspec: {containers: []}\n`);
  const cases = [
    [
      [broken],
      new RegExp(`^error: ${broken}: document 2, line \\d+, column \\d+: Pod "B" is invalid`),
    ],
    [[join(folder, 'nowhere.yaml')], /nowhere\.yaml: there is no such file/],
    [['--config', await file('config.yaml', 'apiVersion: v1\nkind: Pod\n')], /config\.yaml: /],
    [['--port', '70000'], /--port is at most 65535/],
    [['--history', '0'], /--history is at least 1/],
    [['--nodes', 'many'], /--nodes is a whole number/],
    [['--for', 'ever'], /--for is a whole number/],
    [['--wrong'], /unknown flag --wrong/],
  ];
  for (const [argv, want] of /** @type {[string[], RegExp][]} */ (cases)) {
    const { code, stderr } = await runUp(argv);
    assert.equal(code, 2, `${argv}: ${stderr}`);
    assert.match(stderr, want);
  }
});

test('a port in use is reported', async (t) => {
  const other = createServer();
  t.after(() => other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (other.address());
  const { code, stderr, stdout } = await runCli(['up', '--port', String(port)], { loadEngine });
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(
    stderr,
    new RegExp(`^error: port ${port} of 127\\.0\\.0\\.1 is in use; --port takes`),
  );
});

test('an address that others reach is warned of', async () => {
  const asked = /** @type {any[]} */ ([]);
  const listen = async (/** @type {any} */ _handler, /** @type {any} */ where) => {
    asked.push(where);
    return { url: `http://${where.host}:1`, close: async () => {} };
  };
  const { code, stderr } = await runUp(['--host', '0.0.0.0'], { connections: { listen } });
  assert.equal(code, 0);
  assert.deepEqual(asked, [{ host: '0.0.0.0', port: 0, webSockets: true }]);
  assert.equal(stderr, 'warning: any client that reaches 0.0.0.0 can change this cluster\n');
});

test('the page is served beside the API, with a sandbox notice', async () => {
  await file('page/index.html', '<!doctype html>\n<head>\n  <title>T</title>\n</head>');
  const get = async (/** @type {string} */ url) => {
    const answer = await fetch(url, { redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const { answer, stdout } = await runUp([], {
    playgroundFolder: join(folder, 'page'),
    ask: async (url) => ({
      url,
      page: await get(`${url}/playground/`),
      short: await get(`${url}/playground`),
      none: await get(`${url}/playground/none.js`),
      root: await get(`${url}/`),
      nodes: (await items(url, '/api/v1/nodes')).length,
    }),
  });
  const { url, page, short, none, root, nodes } = answer;
  assert.ok(stdout.includes(`\nSee it at ${url}/playground/\n`), stdout);
  assert.match(page.text, /<head>\s+<meta name="stowage-cluster" content="sandbox" \/>\s+<title>/);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('content-security-policy'), "frame-ancestors 'none'");
  assert.deepEqual([short.status, short.headers.get('location')], [308, '/playground/']);
  assert.deepEqual([none.status, root.status, nodes], [404, 404, 6]);
});

test('pages of other sites neither read nor change the cluster', async () => {
  const { answer } = await runUp([], {
    ask: async (url) => {
      const headers = { Origin: 'https://example.org', 'Content-Type': 'text/plain' };
      const body = JSON.stringify(makeNode('theirs'));
      const created = await fetch(`${url}/api/v1/nodes`, { method: 'POST', headers, body });
      const read = await fetch(`${url}/api/v1/nodes`, { headers });
      const { length } = await items(url, '/api/v1/nodes');
      return [created.status, read.status, length];
    },
  });
  assert.deepEqual(answer, [403, 403, 6]);
});

test('--open opens the page; without a browser it prints a note and goes on', async () => {
  await file('page/index.html', '<head></head>');
  const playgroundFolder = join(folder, 'page');
  /** @type {string[]} */
  const opened = [];
  const opening = (/** @type {boolean} */ works) => async (/** @type {string} */ url) => {
    opened.push(url);
    return works;
  };
  const yes = await runUp(['--open'], { playgroundFolder, openBrowser: opening(true) });
  const no = await runUp(['--open'], { playgroundFolder, openBrowser: opening(false) });
  const none = await runUp(['--open'], { openBrowser: opening(true) });
  const unasked = await runUp([], { playgroundFolder, openBrowser: opening(true) });
  assert.equal(opened.length, 2);
  assert.match(opened[0], /^http:\/\/127\.0\.0\.1:\d+\/playground\/$/);
  assert.deepEqual([yes.stderr, unasked.stderr], ['', '']);
  assert.equal(no.stderr, `warning: no browser opens ${opened[1]}\n`);
  assert.match(none.stderr, /^warning: there is no page to open: npm run build:web\n$/);
  assert.deepEqual([yes.code, no.code, none.code], [0, 0, 0]);
});

test('no timer is left behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await runUp([], { until: /agent\S+ +Scheduled/ });
  assert.equal(timers(), before);
});

test('a repeated decision has no line', () => {
  const lines = new DecisionLines();
  const waits = {
    kind: 'Decision',
    pod: 'default/big',
    uid: 'u',
    result: 'unschedulable',
    node: null,
    message: '0/1 nodes are available: 1 Insufficient cpu.',
  };
  const of = (/** @type {object} */ record) => lines.of(/** @type {any} */ (record));
  assert.match(
    of(waits) ?? '',
    /^default +big +Unschedulable +<none> +0\/1 nodes are available: 1 Insufficient cpu\.\n$/,
  );
  assert.equal(of(waits), undefined);
  const preemption = { victims: ['default/small'], nominatedNode: 'a' };
  assert.match(of({ ...waits, preemption }) ?? '', /; preempts default\/small\n$/);
  assert.match(of({ ...waits, result: 'scheduled', node: 'a' }) ?? '', /big +Scheduled +a\n$/);
  assert.match(of(waits) ?? '', /Unschedulable/);
  const result = { kind: 'BindingResult', pod: 'default/big', node: 'a' };
  assert.equal(of({ ...result, result: 'bound' }), undefined);
  const failed = { ...result, result: 'bindFailed', message: 'too\nlate' };
  assert.match(of(failed) ?? '', /big +BindFailed +a +too late\n$/);
  assert.equal(of({ kind: 'QueueMove', pod: 'default/big' }), undefined);
});

test('the sample has as many nodes as are wanted, by turns in three zones', () => {
  const zones = sampleCluster(5)
    .filter(({ kind }) => kind === 'Node')
    .map(({ metadata }) => `${metadata.name} ${metadata.labels['topology.kubernetes.io/zone']}`);
  assert.deepEqual(zones, [
    'node-a1 zone-a',
    'node-b1 zone-b',
    'node-c1 zone-c',
    'node-a2 zone-a',
    'node-b2 zone-b',
  ]);
});

test('gates that only the server and its controllers read are no fault', async () => {
  const gate = (/** @type {string} */ text) => ['--feature-gates', text];
  const spec = {
    selector: { matchLabels: { app: 'db' } },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
  };
  const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' }, spec };
  const sets = await file('set.json', makeList(makeNode('a'), set));
  const strategy = async (/** @type {string} */ url) => {
    const path = '/apis/apps/v1/namespaces/default/statefulsets/db';
    return (await (await fetch(`${url}${path}`)).json()).spec.updateStrategy.rollingUpdate;
  };
  for (const [flags, expected] of /** @type {[string[], object][]} */ ([
    [[], { partition: 0 }],
    [gate('MaxUnavailableStatefulSet=true'), { partition: 0, maxUnavailable: 2 }],
    [['--kubernetes-version', '1.37-preview'], { partition: 0, maxUnavailable: 2 }],
  ])) {
    const { code, stderr, answer } = await runUp([sets, ...flags], { ask: strategy });
    assert.deepEqual([code, stderr, answer], [0, '', expected], String(flags));
  }
  const unknown = await runUp([sets, ...gate('EnvFiles=true'), '--kubernetes-version', '1.33']);
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [2, 'error: unrecognized feature gate: EnvFiles\n'],
  );
  const locked = await runUp([sets, ...gate('ImageVolume=false')]);
  assert.equal(locked.code, 2);
  assert.match(locked.stderr, /cannot set feature gate ImageVolume to false, feature is locked/);
});
