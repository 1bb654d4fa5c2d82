// Goal: the Job of `stowage sweep job` is one that Kubernetes takes. Method: kubectl applies it to
// the embedded API server, which validates it strictly.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { kubectlProgram } from '../../../../wasm/toolchain/kubectl.js';
import { parse } from '../../../../js/src/manifests.js';
import { KubectlCluster } from '../../live/kubectl_cluster.js';
import { makeFolder } from '../../support/folder.js';
import { runCli } from '../../support/run_cli.js';

const { folder, file } = await makeFolder();
const kubernetes = new KubectlCluster();
const JOB = [
  ...['sweep', 'job', '--failures', 'zones:1,pairs', '--by-label', 'tier', '--shards', '50'],
  ...['--cluster', '/data/snapshot.json', '--image', 'registry.example.com/stowage:1'],
  ...['--claim', 'sweep', '--parallelism', '10', '--workers', '2', '--name', 'pairs'],
];

before(() => kubernetes.start({ folder, program: kubectlProgram() }));
after(() => kubernetes.stop());

test('kubectl applies the Job, and the server keeps all of it', async () => {
  const { code, stdout } = await runCli(JOB);
  assert.equal(code, 0);
  const path = await file('job.yaml', stdout);
  for (const options of ['--dry-run=server --validate=strict', '--validate=strict']) {
    const { out, err } = await kubernetes.run(`kubectl apply ${options} -f ${path}`);
    assert.match(out, /^configmap\/pairs created.*\njob.batch\/pairs created/, err);
    assert.equal(err, '');
  }
  const { out } = await kubernetes.run('kubectl get job pairs -o json');
  const { spec } = JSON.parse(out);
  assert.deepEqual(
    [spec.completionMode, spec.completions, spec.parallelism, spec.backoffLimitPerIndex],
    ['Indexed', 50, 10, 5],
  );
  assert.equal(spec.podFailurePolicy.rules[0].action, 'FailJob');
});

test('the container runs the plan of the question', async () => {
  const { stdout } = await runCli(JOB);
  const [configMap, job] = /** @type {any[]} */ (parse(stdout));
  const [plan] = parse(configMap.data['plan.yaml']);
  assert.deepEqual(plan, {
    apiVersion: 'stowage/v1',
    kind: 'SweepPlan',
    failures: 'zones:1,pairs',
    byLabel: 'tier',
  });
  const [container] = job.spec.template.spec.containers;
  assert.deepEqual(container.args, [
    ...['sweep', '--plan=/plan/plan.yaml', '--cluster=/data/snapshot.json', '--shards=50'],
    ...['--results=/data/results', '--workers=2'],
  ]);
  const argv = container.args.slice(1).filter((word) => !word.startsWith('--plan'));
  const help = await runCli(['sweep', ...argv, '--failures', 'pairs', '--help']);
  assert.equal(help.code, 0, 'the command takes these flags');
});
