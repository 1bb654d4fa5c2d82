// Goal: what README.md and CONTRIBUTING.md show works, and is what they say. Method: the JavaScript
// is run as written, and each command is run here, except the two that this test is part of, which
// .ci/run runs.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';

import { createApiServer } from '../../js/apiserver/index.js';
import { listen } from '../../js/src/node.js';

/** @import { TestContext } from 'node:test' */

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const contributing = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');

/** @param {string} language */
function blocks(language, text = readme) {
  return [...text.matchAll(new RegExp('```' + language + '\\n(.*?)```', 'gs'))].map((m) => m[1]);
}

const RUN_BY_CI = ['npm start', 'npm test'];
const commands = [readme, contributing]
  .flatMap((text) => blocks('sh', text))
  .flatMap((block) => block.trim().split('\n'));

/** Runs a program, and returns what it prints. @param {string} example */
async function printedBy(example) {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build', 'readme-'));
  try {
    const file = join(folder, 'example.js');
    writeFileSync(file, example);
    return (await promisify(execFile)(process.execPath, [file], { cwd: root, timeout: 60_000 }))
      .stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the example runs as it stands', async () => {
  const [example] = blocks('js');
  assert.ok(example.trim().split('\n').length <= 18, 'about fifteen lines');
  const output = await printedBy(example);
  assert.match(output, /^default\/web large$/m);
  assert.match(output, /^default\/huge 0\/2 nodes are available: 2 Insufficient cpu\. /m);
});

test('the example of an older release runs as it stands', async () => {
  const example = blocks('js').find((block) => block.includes('kubernetesVersion')) ?? '';
  assert.equal(await printedBy(example), 'v1.34\n');
});

/** Examples that need more than the package: an API server at PROXY, and what ends them. */
const PROXY = 'http://127.0.0.1:8001';
/** @type {Record<string, { end?: string, printed: RegExp }>} */
const EXAMPLES = {
  'js/apiserver/README.md': {
    end: `console.log((await client.json('/api/v1/nodes')).items[0].metadata.name);
      server.dispose();`,
    printed: /^a\n$/,
  },
  'js/apiserver/controllers/README.md': { end: 'server.dispose();', printed: /^$/ },
  'js/src/edge/README.md': { printed: /^$/ },
  'js/src/informer/README.md': {
    end: "console.log(scheduler.list('Node').length); stop.abort(); await end;",
    printed: /^1\n$/,
  },
  'js/src/live/README.md': { end: 'stop.abort(); await live.done;', printed: /^default\/web a\n$/ },
};

/** A server with a node, and a pod of the scheduler `stowage`. @param {TestContext} t */
async function serveCluster(t) {
  const server = createApiServer({
    objects: [
      {
        ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } },
        status: { allocatable: { cpu: '2', memory: '4Gi', pods: '10' } },
      },
      {
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default' } },
        spec: { schedulerName: 'stowage', containers: [{ name: 'main', image: 'web' }] },
      },
    ],
  });
  const { url, close } = await listen(server.fetch, { port: 0 });
  t.after(async () => {
    server.dispose();
    await close();
  });
  return url;
}

for (const [path, { end = '', printed }] of Object.entries(EXAMPLES)) {
  test(`the example of ${path} runs`, async (t) => {
    const examples = blocks('js', readFileSync(join(root, path), 'utf8'));
    assert.equal(examples.length, 1);
    const url = await serveCluster(t);
    // A loop over records has no end of its own: the first one ends it.
    const code = examples[0]
      .replace(PROXY, url)
      .replace(/^  console\.log\(pod.*/m, '{ $& break; }');
    assert.match(await printedBy(`${code}\n${end}`), printed);
  });
}

test('the two commands are what CI runs', () => {
  const ci = readFileSync(join(root, '.ci/run'), 'utf8').split('\n');
  for (const command of RUN_BY_CI) {
    assert.ok(commands.includes(command));
    assert.ok(ci.includes(command), `${command} is not in .ci/run`);
  }
});

/**
 * What the commands of README.md answer, by their beginning: the exit code, and a part of the
 * answer. All other commands exit with 0.
 * @type {Record<string, [number, RegExp]>}
 */
const ANSWERS = {
  'check -f': [0, /^shop +deployment\/web +4 +4 +Fits /m],
  'check --gang': [0, /^default +jobset\/training +16 +16 +Fits /m],
  'explain pod/fill-24 examples/small-cluster/cluster.json': [1, /^default\/fill-24: Unsched/],
  'capacity -f': [0, /^24 more like those of deployment shop\/web fit, on 4 of 4 nodes$/m],
  'simulate examples/small-cluster/cluster.json': [1, /^default +fill-24 +<none> +Unsched/m],
  'whatif --without-node': [0, /^shop\/db-0 +Moves +eu-a-1 +eu-a-2$/m],
  'drain node-0': [0, /^1 +node-0 +default\/web-0 /m],
  'sweep examples': [1, /^node\/node-0\+node\/node-3 /m],
  'fix pod/fill-24': [0, /^1\. Lower the pod's request for cpu from 700m to 200m\.$/m],
  'plan --pool': [1, /^4 new nodes for 14: 4 node-0; no node takes 1 pod$/m],
  'repack --cluster': [0, /^2 nodes can be emptied with 0 moves: eu-a-2, eu-b-2$/m],
  'up --port 0': [0, /^See it at http:\/\/127\.0\.0\.1:\d+\/playground\/$/m],
  'simulate --explain': [1, /^default\/fill-24: Unschedulable$/m],
};

/** @param {string} command @returns {[number, RegExp]} */
function answerOf(command) {
  const [, words = ''] = /^(?:npx stowage|node js\/src\/cli\/stowage\.js) (.*)/.exec(command) ?? [];
  const [, answer] = Object.entries(ANSWERS).find(([first]) => words.startsWith(first)) ?? [];
  return answer ?? [0, /^/];
}

/** Runs a command with these sources: the package is not installed. @param {string} command */
function runHere(command) {
  const here = command.replace(/^npx stowage\b/, 'node js/src/cli/stowage.js');
  return spawnSync(here, { cwd: root, shell: true, encoding: 'utf8' });
}

for (const command of commands.filter((line) => !RUN_BY_CI.includes(line))) {
  test(command, () => {
    const [exitCode, printed] = answerOf(command);
    const { status, stdout, stderr } = runHere(command);
    assert.equal(status, exitCode, stderr);
    assert.match(stdout, printed);
  });
}

test('each command of README.md has its answer here', () => {
  const ofReadme = blocks('sh').join('').trim().split('\n');
  for (const command of ofReadme) assert.ok(answerOf(command)[1].source !== '^', command);
});

test('terminal.svg shows what the command prints', () => {
  const picture = readFileSync(join(root, 'examples/terminal.svg'), 'utf8');
  const [command, ...shown] = [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, text]) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  );
  const { stdout } = runHere(
    command.replace('$ ', '').replace('cluster.json', 'examples/small-cluster/cluster.json'),
  );
  const printed = stdout.split('\n');
  for (const line of shown) {
    const [, beginning] = /^(.*) …$/.exec(line) ?? [];
    const isPrinted =
      beginning === undefined
        ? printed.includes(line)
        : printed.some((text) => text.startsWith(beginning));
    assert.ok(isPrinted, line);
  }
  assert.equal(shown.length, 10);
});

test('README.md and CONTRIBUTING.md give equal figures', () => {
  /** @returns {[string, string][]} */
  const rows = (/** @type {string} */ text) =>
    [...text.matchAll(/^\| ([^|]+) \| ([^|]*\d[^|]*) \|$/gm)].map(([, what, figure]) => [
      what,
      figure,
    ]);
  const figures = new Map(rows(contributing));
  const shared = rows(readme).filter(([what]) => figures.has(what));
  assert.ok(shared.length >= 2, 'no rows are about the same');
  for (const [what, figure] of shared) assert.equal(figures.get(what), figure, what);
});

test('the second module has the size that the documents give', () => {
  const file = readFileSync(join(root, 'js/dist/stowage.deferred.wasm'));
  const bytes = brotliCompressSync(file).length;
  for (const [path, pattern, unit] of /** @type {const} */ ([
    ['README.md', /a second module[^|]*\| about ([\d,]+) bytes/, 1],
    ['js/README.md', /an import loads about ([\d,]+) bytes less/, 1],
    ['CHANGELOG.md', /`stowage\.deferred\.wasm` \((\d+) KB\)/, 1000],
  ])) {
    const [, figure = ''] = pattern.exec(readFileSync(join(root, path), 'utf8')) ?? [];
    const given = Number(figure.replaceAll(',', '')) * unit;
    assert.ok(Math.abs(given - bytes) < bytes / 50, `${path} gives ${figure}, it has ${bytes}`);
  }
});
