// Code of a user who has installed the package and nothing else.
import {
  BatchError,
  createScheduler,
  loadEngine,
  replay,
  systemClock,
  unschedulable,
  virtualClock,
  whyNot,
  type BindingResult,
  type CacheInspection,
  type Decision,
  type EngineRecord,
  type Evaluation,
  type InProcessExtender,
  type Inspection,
  type MetricsInspection,
  type NodeInspection,
  type PermitInspection,
  type PodInspection,
  type Plugin,
  type Scheduler,
} from 'stowage';
import deferredWasm from 'stowage/stowage.deferred.wasm';
import file from 'stowage/stowage.wasm';
import module from 'stowage/wasm';

const onlyNamed: Plugin = {
  name: 'OnlyNamed',
  filter: (state, pod, { node }) => (node.metadata.name ? undefined : unschedulable('no name')),
};

export async function run(log: string): Promise<Decision[]> {
  const clock = virtualClock(new Date(0));
  using scheduler: Scheduler = await createScheduler({ clock, plugins: [onlyNamed], wasm: file });
  scheduler.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } });
  const evaluation: Evaluation = scheduler.evaluate('default/web', { detail: 'table' });
  const sentence: string = whyNot(evaluation, 'a');
  const engine = await loadEngine({ wasm: fetch('stowage.wasm') });
  (await engine.replay(log)).dispose();
  (await replay(log, { wasm: module, deferredWasm })).dispose();
  await loadEngine({ deferredWasm: true });
  const decisions = await scheduler.schedule({ until: systemClock().now() });
  return decisions.filter(({ pod, node }: Decision) => node === null || pod !== sentence);
}

export function names(error: unknown): (string | undefined)[] {
  return error instanceof BatchError ? error.errors.map(({ field }) => field) : [];
}

export async function follow(scheduler: Scheduler): Promise<(string | null)[]> {
  const nodes: (string | null)[] = [];
  for await (const { node } of scheduler.records({ kinds: ['Decision'] })) nodes.push(node);
  for await (const record of scheduler.records({ kinds: ['Decision', 'BindingResult'] })) {
    const either: Decision | BindingResult = record;
    if (record.kind === 'BindingResult') nodes.push(record.phase ?? either.pod);
  }
  for await (const record of scheduler.records()) {
    const any: EngineRecord = record;
    if (any.kind === 'Event') nodes.push(any.reason);
    if (record.kind === 'RecordsDropped') nodes.push(record.count.toFixed());
  }
  // @ts-expect-error there is no such kind
  scheduler.records({ kinds: ['Verdict'] });
  return nodes;
}

export function look(scheduler: Scheduler): number {
  const all: Inspection = scheduler.inspect();
  const cache: CacheInspection = scheduler.inspect({ cache: true });
  const waiting: PermitInspection = scheduler.inspect({ waiting: true });
  const metrics: MetricsInspection = scheduler.inspect({ metrics: true });
  const node: NodeInspection = scheduler.inspect({ node: 'a' });
  const pod: PodInspection = scheduler.inspect({ pod: 'default/web' });
  const names: string[] | undefined = cache.cache.nodes[pod.node ?? node.name];
  const query: Record<string, unknown> = { pod: 'default/web' };
  const unknown: string = scheduler.inspect(query).uid;
  // @ts-expect-error it is a count
  all.cache.nodes.a;
  // @ts-expect-error only the pods that wait
  waiting.queues;
  // @ts-expect-error there is no such query
  scheduler.inspect({ pods: 'default/web' });
  return all.cache.pods + (names?.length ?? 0) + metrics.metrics.families.length + unknown.length;
}

// @ts-expect-error it is a number
createScheduler({ seed: 'seven' });
// @ts-expect-error there is no such option
createScheduler({ speed: 9 });

export const rack: InProcessExtender = {
  filter: ({ Pod, NodeNames }) => ({
    NodeNames: (NodeNames ?? []).filter((name) => name !== Pod.metadata.annotations?.avoid),
  }),
  // @ts-expect-error a score is of a host
  prioritize: () => [{ Name: 'a', Score: 1 }],
  bind: async ({ PodName, Node }) => ({ Error: `${PodName} is not for ${Node}` }),
};

export function applied(error: BatchError): number {
  // @ts-expect-error there is no such count
  error.result.bound;
  return 'applied' in error.result ? error.result.applied : error.result.length;
}
