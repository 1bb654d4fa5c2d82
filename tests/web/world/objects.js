/** Objects for worlds. */

/** @param {string} name @param {string} [cpu] */
export const node = (name, cpu = '2') => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { allocatable: { cpu, memory: '4Gi', pods: '10' } },
});

/** @param {string} name @param {string} [cpu] */
export const pod = (name, cpu = '1') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu } } }] },
});
