/**
 * Wait for all: the pods of a group start together or not at all. Each gets its node and waits
 * there until the last one allows all of them. If one is rejected, all of them are.
 */
import { fileURLToPath } from 'node:url';
import { createScheduler, wait } from 'stowage';

const NAME = 'WaitForAll';
const GROUP = 'example.com/group';
const SIZE = 'example.com/group-size';

/** @type {import('stowage').Plugin} */
export const waitForAll = {
  name: NAME,
  // Its pluginConfig: { "timeoutSeconds": 60 }.
  create({ timeoutSeconds = 60 } = {}, handle) {
    /** The uids of the group's pods that have a node. @type {Map<string, Set<string>>} */
    const groups = new Map();
    return {
      permit(state, { metadata }) {
        const group = metadata.labels?.[GROUP];
        if (group === undefined) return undefined;
        const members = groups.get(group) ?? new Set();
        groups.set(group, members.add(metadata.uid));
        if (members.size < Number(metadata.annotations[SIZE])) return wait(timeoutSeconds * 1000);
        groups.delete(group);
        for (const uid of members) handle.getWaitingPod(uid)?.allow(NAME);
        return undefined;
      },
      // A pod whose wait timed out is unreserved too.
      unreserve(state, { metadata }) {
        const group = metadata.labels?.[GROUP];
        const members = groups.get(group) ?? new Set();
        groups.delete(group);
        for (const uid of members) handle.getWaitingPod(uid)?.reject(NAME, 'another gave up');
      },
    };
  },
};

export const configuration = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [{ plugins: { multiPoint: { enabled: [{ name: NAME }] } } }],
};

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a' },
  status: { allocatable: { cpu: '4', memory: '16Gi', pods: '110' } },
};

/** @param {string} name @param {string} group @param {number} size */
const pod = (name, group, size) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { [GROUP]: group }, annotations: { [SIZE]: `${size}` } },
  spec: { containers: [{ name: 'main' }] },
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const scheduler = await createScheduler({ configuration, plugins: [waitForAll] });
  /** @type {AsyncIterable<any>} */
  const records = scheduler.records({ kinds: ['BindingResult'] });
  scheduler.apply([node, ...['trio-0', 'trio-1'].map((name) => pod(name, 'trio', 3))]);
  scheduler.apply(pod('pair-0', 'pair', 2));
  await scheduler.schedule();
  const names = scheduler.inspect().waiting.map((/** @type {any} */ { pod }) => pod);
  console.log(`waiting: ${names.join(', ')}`);
  scheduler.apply(pod('pair-1', 'pair', 2));
  await scheduler.schedule({ until: 60_000 });
  scheduler.dispose();
  for await (const { pod, result, message = '' } of records) {
    console.log(`${pod}  ${result}  ${message}`.trimEnd());
  }
}
