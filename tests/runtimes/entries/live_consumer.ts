// Code of a user who follows, schedules and serves clusters, with the web's own types only.
import { createScheduler, type KubernetesObject, type Scheduler } from 'stowage';
import { createAdmissionHandler, type AdmissionOptions } from 'stowage/admission';
import {
  createEdgeHandler,
  memorySnapshots,
  type PreScore,
  type SnapshotStore,
} from 'stowage/edge';
import { CONTROLLERS, createApiServer, type ApiServer } from 'stowage/embedded-apiserver';
import {
  ApiError,
  createApiClient,
  createInformers,
  SCHEDULER_KINDS,
  type ApiClient,
  type Kind,
  type ReflectorStatus,
} from 'stowage/informer';
import { LeaderElectionLost, runScheduler, type RunningScheduler } from 'stowage/live';
import { expand, parse, podsOf, positionOf } from 'stowage/manifests';

const stop = new AbortController();
const server: ApiServer = createApiServer({ controllers: CONTROLLERS, history: 100 });
const client: ApiClient = createApiClient({ baseUrl: 'http://embedded', fetch: server.fetch });
const pods: Kind = { version: 'v1', resource: 'pods', optional: true };

export async function follow(sink: Scheduler): Promise<string[]> {
  const onStatus = ({ state, lastError }: ReflectorStatus) => `${state} ${lastError?.reason}`;
  const kinds = [...SCHEDULER_KINDS, pods];
  const informers = createInformers({ client, sink, kinds, signal: stop.signal, onStatus });
  const ended: Promise<void> = informers.run();
  await Promise.race([ended, informers.synced()]);
  return informers.status().map(({ resource, relists }) => `${resource} ${relists.toFixed()}`);
}

export async function run(): Promise<number> {
  const live: RunningScheduler = runScheduler({
    client,
    signal: stop.signal,
    leaderElection: { leaderElect: true, leaseDuration: '15s' },
    onRecord: (record) => record.kind,
  });
  const { hash }: Scheduler = await live.scheduler;
  const answer: Response = await live.fetch(new Request(`http://self/metrics?${hash}`));
  await live.done.catch((error) => error instanceof LeaderElectionLost);
  return answer.status;
}

export async function review(request: Request): Promise<Response> {
  const options: AdmissionOptions = {
    cluster: () => createScheduler({ api: 'host' }),
    mode: 'deny',
    denyWhen: 'NotNow',
    exempt: { namespaces: ['kube-system'], labelSelector: { matchLabels: { tier: 'batch' } } },
  };
  return createAdmissionHandler(options).fetch(request);
}

export async function prescore(request: Request, env: { SECRET: string }): Promise<string | null> {
  const snapshots: SnapshotStore = memorySnapshots({ maxBytes: 1 << 20 });
  const secret = (bindings?: { SECRET: string }) => bindings?.SECRET;
  const handler = createEdgeHandler({ snapshots, secret, limits: { timeoutMs: 50 } });
  const { node } = (await (await handler.fetch(request, env)).json()) as PreScore;
  return node;
}

export function manifests(text: string): number | undefined {
  const objects: KubernetesObject[] = parse(text, { onError: ({ line }) => line?.toFixed() });
  const made = objects.flatMap((object) => [...expand(object), ...podsOf(object, { seed: 7 })]);
  return positionOf(made[0], 'spec.replicas')?.line;
}

export function reasonOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.status === 410 ? error.continue : undefined;
}

// @ts-expect-error there is no such mode
createAdmissionHandler({ cluster: await createScheduler(), mode: 'refuse' });
// @ts-expect-error it has to know a cluster
createAdmissionHandler({ mode: 'warn' });
// @ts-expect-error a limit is a number
createEdgeHandler({ limits: { timeoutMs: '50' } });
// @ts-expect-error a store has `get`
createEdgeHandler({ snapshots: { put: () => {} } });
// @ts-expect-error there is nothing that takes what comes
createInformers({ client });
// @ts-expect-error a kind has a version
createInformers({ client, sink: await createScheduler(), kinds: [{ resource: 'pods' }] });
// @ts-expect-error it has to be somewhere
createApiClient({ fetch: server.fetch });
// @ts-expect-error there is no such controller
createApiServer({ controllers: ['cronjobs'] });
// @ts-expect-error records come one by one
runScheduler({ client, onRecord: ([record]) => record });
// @ts-expect-error there has to be a cluster
runScheduler({ signal: stop.signal });
// @ts-expect-error text comes in, not bytes
parse(new Uint8Array());
// @ts-expect-error a pod is an object
podsOf('web');
