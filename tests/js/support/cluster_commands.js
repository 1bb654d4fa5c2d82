/** Command lines of every command that reads a cluster, on the cluster of `rich_cluster.js`. */
import { makeList, makeNode, makePod } from './objects.js';

/** @param {string} app */
const template = (app) => ({ metadata: { labels: { app } }, spec: makePod(app).spec });

/** @param {string} kind @param {string} name */
const workload = (kind, name) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name) },
});
/**
 * @param {(name: string, content: unknown) => Promise<string>} file writes a file, and returns its
 *   path
 * @returns {Promise<{ alone: string[][], withManifests: string[][] }>} `CLUSTER` stands for the
 *   file of the cluster; in those about the cluster alone, names are in braces
 */
export async function clusterCommands(file) {
  const manifests = await file(
    'manifests.json',
    makeList(
      workload('Deployment', 'web'),
      workload('StatefulSet', 'db'),
      workload('DaemonSet', 'agent'),
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'quota' }, spec: { hard: {} } },
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, spec: {} },
    ),
  );
  const pool = await file('pool.json', makeNode('pool'));
  const pod = await file('pod.json', makePod('more', { cpu: '300m' }));
  const trace = await file(
    'trace.json',
    makeList(...[1, 2, 3, 4].map((number) => makePod(`t${number}`, { cpu: '400m' }))),
  );
  const config = await file('config.yaml', {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [
      {
        pluginConfig: [
          { name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } },
        ],
      },
    ],
  });
  const alone = [
    ['simulate', 'CLUSTER'],
    ['explain', 'pod/{big}', '-n', '{shop}', 'CLUSTER', '--all-plugins'],
    ['capacity', '-f', pod, '--cluster', 'CLUSTER'],
    ['whatif', '--cluster', 'CLUSTER', '--without-node', '{n1}'],
    ['whatif', '--cluster', 'CLUSTER', '--add-nodes', '2', '--like', '{n2}'],
    ['whatif', '--cluster', 'CLUSTER', '-n', '{shop}', '--scale', 'deploy/{web}=2'],
    ['whatif', '--cluster', 'CLUSTER', '-n', '{shop}', '--scale', 'deploy/{web}=6'],
    ['whatif', '--cluster', 'CLUSTER', '-n', '{shop}', '--scale', 'statefulset/{db}=1'],
    ['whatif', '--cluster', 'CLUSTER', '-n', '{shop}', '--scale', 'statefulset/{db}=4'],
    ['whatif', '--cluster', 'CLUSTER', '-n', '{shop}', '--scale', 'job/{index}=3'],
    ['whatif', '--cluster', 'CLUSTER', '-n', '{shop}', '--set-request', 'deploy/{api}:cpu=600m'],
    ['whatif', '--cluster', 'CLUSTER', '-n', '{shop}', '--delete', 'deploy/{web}'],
    ['drain', '{n1}', '{n2}', '--cluster', 'CLUSTER'],
    ['drain', '{n1}', '{n2}', '{n3}', '--cluster', 'CLUSTER', '--force', '--delete-emptydir-data'],
    ['repack', '--cluster', 'CLUSTER'],
    ['fix', '--all', 'CLUSTER'],
    ['plan', '--pool', pool, '--cluster', 'CLUSTER'],
    ['sweep', '--failures', 'nodes:1,pairs', 'CLUSTER'],
    ['diff', 'CLUSTER', '--config', config],
    ['diff', 'CLUSTER', '--kubernetes-version', '1.34', '--kubernetes-version', '1.36'],
    ['tune', '-f', trace, '--cluster', 'CLUSTER', '--strategy', 'MostAllocated'],
  ];
  const withManifests = [
    ['check', '-f', manifests, '--cluster', 'CLUSTER', '-n', 'shop'],
    ['explain', 'deployment/web', '-f', manifests, '--cluster', 'CLUSTER', '-n', 'shop'],
    ['whatif', manifests, '--cluster', 'CLUSTER', '-n', 'shop', '--cordon', 'n1'],
    ['whatif', '--apply', manifests, '--cluster', 'CLUSTER', '-n', 'shop'],
  ];
  return { alone, withManifests };
}
