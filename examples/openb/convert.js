/** The openb trace as Kubernetes objects; README.md has the mapping. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** @returns {object[]} the 1,523 nodes */
export function readNodes() {
  return readCsv('openb_node_list_all_node').map(({ sn, cpu_milli, memory_mib, gpu, model }) => {
    const resources = {
      cpu: `${cpu_milli}m`,
      memory: `${memory_mib}Mi`,
      pods: '110',
      ...(Number(gpu) > 0 && { 'nvidia.com/gpu': gpu }),
    };
    const labels = {
      'kubernetes.io/hostname': sn,
      ...(model && { 'nvidia.com/gpu.product': model }),
    };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: sn, labels },
      status: { capacity: resources, allocatable: resources },
    };
  });
}

/**
 * @param {string} list `default` or `gpuspec33`
 * @returns {object[]} the 8,152 pods, created when the trace says
 */
export function readPods(list) {
  return readCsv(`openb_pod_list_${list}`).map((row) => {
    const requests = {
      cpu: `${row.cpu_milli}m`,
      memory: `${row.memory_mib}Mi`,
      ...(Number(row.num_gpu) > 0 && { 'nvidia.com/gpu': row.num_gpu }),
    };
    const created = new Date(Number(row.creation_time) * 1000).toISOString();
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: row.name, creationTimestamp: created.replace('.000Z', 'Z') },
      spec: {
        containers: [{ name: 'main', resources: { requests } }],
        ...(row.gpu_spec && { affinity: onModels(row.gpu_spec.split('|')) }),
      },
    };
  });
}

/** @param {string[]} values */
function onModels(values) {
  const matchExpressions = [{ key: 'nvidia.com/gpu.product', operator: 'In', values }];
  const nodeSelectorTerms = [{ matchExpressions }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
}

/** @param {string} name @returns {Record<string, string>[]} */
function readCsv(name) {
  const packed = readFileSync(new URL(`${name}.csv.gz`, import.meta.url));
  const [head, ...rows] = gunzipSync(packed).toString().trim().split(/\r?\n/);
  const columns = head.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at]]));
  });
}
