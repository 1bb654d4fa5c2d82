import { MoreButton } from '../more_button.jsx';
import { QUEUED } from '../session.js';
import { clockText, durationText } from './time_text.js';
import './queues.css';

/** @import { QueuedPod } from '../../../../js/src/index.js' */
/** @import { QueueMoveCause } from '../../worker/timeline.js' */
/** @import { Session } from '../session.js' */

/** The scheduler's queues. @param {{ session: Session }} props */
export function QueueView({ session }) {
  const inspection = session.inspection.value;
  if (!inspection) return null;
  const { queues, counts } = inspection;
  const { pods } = session.cluster.value;
  const now = session.playback.time.value;
  const prioritized = queues.active.map(({ pod, lastMove }) => {
    const priority = pods.get(pod)?.priority ?? 0;
    return { pod, words: [`priority ${priority}`, moveWords(lastMove)] };
  });
  const delayed = queues.backoff.map((queued) => ({
    pod: queued.pod,
    words: [backoffWords(queued, now), moveWords(queued.lastMove)],
  }));
  const rejected = queues.unschedulable.map((queued) => ({
    pod: queued.pod,
    words: [rejectionWords(queued), moveWords(queued.lastMove)],
  }));
  const gated = queues.gated.map(({ pod, gatingPlugin, message, lastMove }) => ({
    pod,
    words: [`gated by ${gatingPlugin}`, message ?? '', moveWords(lastMove)],
  }));
  return (
    <div class="queues">
      <Queue name="activeQ" session={session} count={counts.active} pods={prioritized} />
      <Queue name="backoffQ" session={session} count={counts.backoff} pods={delayed} />
      <Queue name="unschedulable" session={session} count={counts.unschedulable} pods={rejected} />
      {counts.gated > 0 && (
        <Queue name="gated" session={session} count={counts.gated} pods={gated} />
      )}
    </div>
  );
}

/**
 * @param {{ name: string, session: Session, count: number, pods: { pod: string, words: string[] }[]
 *   }} props `count`: of all pods in the queue; `pods`: the first of them
 */
function Queue({ name, session, count, pods }) {
  return (
    <section>
      <h3>
        {name}: {count.toLocaleString('en')}
      </h3>
      <ul>
        {pods.map(({ pod, words }) => (
          <li key={pod}>
            <button type="button" onClick={() => session.selectPod(pod)}>
              {pod} <small>{words.filter(Boolean).join('; ')}</small>
            </button>
          </li>
        ))}
      </ul>
      <MoreButton
        left={count - pods.length}
        atOnce={QUEUED}
        onMore={() => session.showMoreQueued()}
      />
    </section>
  );
}

/** @param {QueuedPod} queued @param {number} now */
function backoffWords({ expiresAt, error }, now) {
  const end = expiresAt ? Date.parse(expiresAt) : now;
  const left = durationText(Math.max(0, end - now));
  return `${error ? 'after an error, ' : ''}${left} left, until ${clockText(end)}`;
}

/** @param {QueuedPod} queued */
function rejectionWords({ unschedulablePlugins, pendingPlugins }) {
  const rejecting = unschedulablePlugins.join(', ');
  const waiting = pendingPlugins.length > 0 ? `${pendingPlugins.join(', ')} waits` : '';
  return [rejecting && `rejected by ${rejecting}`, waiting].filter(Boolean).join(', ');
}

/** @param {QueueMoveCause} [move] */
function moveWords(move) {
  if (!move) return '';
  const { event, plugin, hint } = move;
  return plugin ? `moved by ${event}: ${plugin} said ${hint}` : `moved by ${event}`;
}
