// What somebody writes who has the package, and nothing else, installed.
import {
  BatchError,
  createScheduler,
  loadEngine,
  replay,
  systemClock,
  unschedulable,
  virtualClock,
  whyNot,
  type Decision,
  type Evaluation,
  type Plugin,
  type Scheduler,
} from 'stowage';
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
  (await replay(log, { wasm: module })).dispose();
  const decisions = await scheduler.schedule({ until: systemClock().now() });
  return decisions.filter(({ pod, node }: Decision) => node === null || pod !== sentence);
}

export function names(error: unknown): (string | undefined)[] {
  return error instanceof BatchError ? error.errors.map(({ field }) => field) : [];
}

// @ts-expect-error it is a number
createScheduler({ seed: 'seven' });
// @ts-expect-error there is no such option
createScheduler({ speed: 9 });
