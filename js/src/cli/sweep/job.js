/** The Indexed Job that runs the shards of a sweep in Kubernetes. */
import { yamlText } from '../terminal/documents.js';
import { planOf } from './plan.js';

/**
 * @import { SweepOptions } from './arguments.js'
 * @import { PlannedQuestion } from './plan.js'
 */

/** How often one shard is tried again; other shards go on. */
const RETRIES = 5;

/** Where the claim and the plan are mounted. */
const DATA = '/data';
const PLAN = '/plan';

/** The memory of a thread of a cluster of 5,000 nodes and 150,000 pods: GiB. */
const MEMORY = 2;

/** The user of the image: any but root. */
const USER = 65532;

/**
 * Returns the manifests: the plan in a ConfigMap, and the Job.
 * @param {NonNullable<SweepOptions['job']>} job
 * @param {PlannedQuestion} question
 * @param {{ namespace?: string, workers: number, kubernetesVersion?: string }} options
 * @returns {string} YAML
 */
export function jobOf(job, question, options) {
  const { namespace } = options;
  const metadata = { name: job.name, ...(namespace !== undefined && { namespace }) };
  const plan = { 'plan.yaml': yamlText(planOf(question)) };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: plan };
  const indexedJob = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: {
      completionMode: 'Indexed',
      completions: job.shards,
      parallelism: job.parallelism,
      backoffLimitPerIndex: RETRIES,
      // Code 2 is wrong input, and that is the same for all shards.
      podFailurePolicy: {
        rules: [
          {
            action: 'FailJob',
            onExitCodes: { containerName: 'sweep', operator: 'In', values: [2] },
          },
        ],
      },
      template: { spec: podOf(job, options) },
    },
  };
  return [configMap, indexedJob].map(yamlText).join('---\n');
}

/**
 * @param {NonNullable<SweepOptions['job']>} job
 * @param {{ workers: number, kubernetesVersion?: string }} options
 */
function podOf({ name, image, claim, shards, source }, { workers, kubernetesVersion }) {
  const release =
    kubernetesVersion === undefined ? [] : [`--kubernetes-version=${kubernetesVersion}`];
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'sweep',
        image,
        args: [
          'sweep',
          `--plan=${PLAN}/plan.yaml`,
          `--cluster=${source}`,
          `--shards=${shards}`,
          `--results=${DATA}/results`,
          `--workers=${workers}`,
          ...release,
        ],
        resources: { requests: { cpu: String(workers), memory: `${MEMORY * workers}Gi` } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'plan', mountPath: PLAN, readOnly: true },
          { name: 'data', mountPath: DATA },
        ],
      },
    ],
    volumes: [
      { name: 'plan', configMap: { name } },
      { name: 'data', persistentVolumeClaim: { claimName: claim } },
    ],
  };
}
