import { durationText } from './time_text.js';

/** @import { QueuedPod } from '../../../js/src/record_types.js' */
/** @import { Session } from './session.js' */

const MOST = 50;

/** The scheduler's queues. @param {{ session: Session }} props */
export function QueueView({ session }) {
  const inspection = session.inspection.value;
  if (!inspection) return null;
  const { active, backoff, unschedulable } = inspection.queues;
  const now = session.now.value;
  return (
    <div class="queues">
      <Queue name="activeQ" session={session} pods={active.map((pod) => ({ pod, words: '' }))} />
      <Queue
        name="backoffQ"
        session={session}
        pods={backoff.map((queued) => ({ pod: queued.pod, words: backoffWords(queued, now) }))}
      />
      <Queue
        name="unschedulable"
        session={session}
        pods={unschedulable.map((queued) => ({ pod: queued.pod, words: poolWords(queued) }))}
      />
    </div>
  );
}

/**
 * @param {{ name: string, session: Session, pods: { pod: string, words: string }[] }} props
 */
function Queue({ name, session, pods }) {
  return (
    <section>
      <h3>
        {name}: {pods.length}
      </h3>
      <ul>
        {pods.slice(0, MOST).map(({ pod, words }) => (
          <li key={pod}>
            <button type="button" onClick={() => session.selectPod(pod)}>
              {pod} {words && <small>{words}</small>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** @param {QueuedPod} queued @param {number} now */
function backoffWords({ expiresAt, error }, now) {
  const left = expiresAt ? Math.max(0, Date.parse(expiresAt) - now) : 0;
  return `${error ? 'after an error, ' : ''}${durationText(left)} left`;
}

/** @param {QueuedPod} queued */
function poolWords({ gated, gatingPlugin, unschedulablePlugins, pendingPlugins }) {
  if (gated) return `gated by ${gatingPlugin}`;
  return [...unschedulablePlugins, ...pendingPlugins].join(', ');
}
