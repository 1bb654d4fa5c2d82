import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import './live.css';
import { disconnectCluster } from './live_view.js';
import { clockText } from '../timeline/time_text.js';

/** @import { LiveStatus } from '../../live/live_status.js' */
/** @import { LiveView } from './live_view.js' */
/** @import { Session } from '../session.js' */

/**
 * The state of the connection to a live cluster. It replaces the time controls.
 * @param {{ session: Session, live: LiveView }} props
 */
export function LiveBar({ session, live }) {
  const status = live.status.value;
  const missing = status?.missing ?? [];
  return (
    <div class="live-bar">
      <div class="live-line">
        <p role="status" class={status?.state ?? 'connecting'}>
          {statusText(status, live)}
        </p>
        <span>{live.allowsChanges ? 'Changes are allowed' : 'Read-only'}</span>
        <button type="button" onClick={() => disconnectCluster(session)}>
          Disconnect
        </button>
        <WallClock />
      </div>
      {status && (
        <p class="hint">
          Kubernetes {live.version}, since {clockText(status.since).slice(0, 8)},
          {` resource version ${status.resourceVersion}`}
        </p>
      )}
      {missing.length > 0 && (
        <details>
          <summary>
            {missing.length} {missing.length === 1 ? 'kind is' : 'kinds are'} not followed
          </summary>
          <ul>
            {missing.map(({ resource, state, message }) => (
              <li key={resource}>
                <b>{resource}</b>: {STATES[state]}. {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="hint">
        The cluster’s own scheduler decides, in real time: there are no steps and no way back, and
        its queues are not visible here.
      </p>
    </div>
  );
}

const STATES = { forbidden: 'forbidden', absent: 'not served', backoff: 'tried again' };

/**
 * @param {LiveStatus | null} status
 * @param {LiveView} live
 */
function statusText(status, { url }) {
  if (!status || status.state === 'connecting') return `Reading the cluster at ${url}…`;
  if (status.state === 'following') return `Following ${url}`;
  return `The cluster at ${url} does not answer; trying again: ${status.reason}`;
}

/** The user's present time, in UTC as all times of the page. */
function WallClock() {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return <time aria-label="The time, UTC">{clockText(now.value).slice(0, 8)}</time>;
}
