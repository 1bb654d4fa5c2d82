import { useComputed, useSignal } from '@preact/signals';

import { Fault } from '../fault.jsx';
import { MoreButton } from '../more_button.jsx';
import { Reading } from './reading.jsx';

/** @import { Finding } from '../../whatif/failures.js' */
/** @import { Session } from '../session.js' */
/** @import { Desk } from './desk.js' */
/** @import { Domain } from './failures.js' */

/** The number of failures that are listed at first, and that each click adds. */
const LISTED = 20;

/** @type {Record<Domain, { one: string, all: string, title: string }>} */
const DOMAINS = {
  nodes: { one: 'node', all: 'nodes', title: 'Fail each node' },
  zones: { one: 'zone', all: 'zones', title: 'Fail each zone' },
};

/** Which failures leave pods pending. @param {{ session: Session, desk: Desk }} props */
export function FailureView({ session, desk }) {
  const { failures } = desk;
  const hasZones = useComputed(() =>
    [...session.cluster.value.nodes.values()].some(({ zone }) => zone !== ''),
  );
  const domains = /** @type {Domain[]} */ (hasZones.value ? ['nodes', 'zones'] : ['nodes']);
  return (
    <>
      <p class="hint">
        One after the other, each is lost by itself, and the scheduler places its pods elsewhere.
        The map shows whose loss leaves pods pending.
      </p>
      <p class="fields-in-line">
        {domains.map((domain) => (
          <button
            key={domain}
            type="button"
            disabled={failures.isRunning.value}
            onClick={() => failures.begin(domain)}
          >
            {DOMAINS[domain].title}
          </button>
        ))}
      </p>
      <Reading desk={desk} />
      <Fault fault={failures.fault.value} />
      <Progress desk={desk} />
      <Weakest session={session} desk={desk} />
    </>
  );
}

/** @param {{ desk: Desk }} props */
function Progress({ desk: { failures } }) {
  const { total, found, isRunning, domain } = failures;
  if (total.value === 0) return null;
  const { one, all } = DOMAINS[domain.value];
  const [done, most] = [found.value.length, total.value].map((count) => count.toLocaleString('en'));
  const weak = found.value.filter(({ pending }) => pending > 0).length;
  const result = `${weak === 0 ? 'No' : weak.toLocaleString('en')} ${weak === 1 ? one : all} of ${
    done
  } would leave pods pending.`;
  return (
    <>
      {isRunning.value && (
        <p class="fields-in-line">
          <progress aria-label={`Tried ${all}`} max={total.value} value={found.value.length} />
          <span>
            {done} of {most}
          </span>
          <button type="button" onClick={() => failures.cancel()}>
            Cancel
          </button>
        </p>
      )}
      <p role="status">
        {!isRunning.value && (
          <>
            {found.value.length < total.value && `Cancelled after ${done} of ${most} ${all}. `}
            <b>{result}</b>
          </>
        )}
      </p>
    </>
  );
}

/** The worst failures. @param {{ session: Session, desk: Desk }} props */
function Weakest({ session, desk }) {
  const { found, position, domain } = desk.failures;
  const most = useSignal(LISTED);
  const weak = useComputed(() =>
    found.value.filter(({ pending }) => pending > 0).sort((a, b) => b.pending - a.pending),
  );
  const isOld = found.value.length > 0 && position.value !== session.position.value;
  return (
    <>
      {isOld && <p class="banner">The cluster has changed since. Try it again.</p>}
      {weak.value.length > 0 && (
        <ul class="weakest" aria-label={`Weakest ${DOMAINS[domain.value].all}`}>
          {weak.value.slice(0, most.value).map((finding) => (
            <Weak key={finding.name} session={session} desk={desk} finding={finding} />
          ))}
        </ul>
      )}
      <MoreButton
        left={weak.value.length - most.value}
        atOnce={LISTED}
        onMore={() => {
          most.value += LISTED;
        }}
      />
    </>
  );
}

/** @param {{ session: Session, desk: Desk, finding: Finding }} props */
function Weak({ session, desk, finding: { name, pending, priorities, pods } }) {
  const isZone = desk.failures.domain.value === 'zones';
  const show = () => {
    if (!isZone) session.selectNode(name);
    desk.clear();
    desk.add(isZone ? { do: 'failZone', zone: name } : { do: 'fail', node: name });
  };
  return (
    <li>
      <details>
        <summary>
          <b>{name}</b>: {pending.toLocaleString('en')} {pending === 1 ? 'pod' : 'pods'} pending
        </summary>
        <p class="hint">
          {priorities.map(([priority, count]) => `${count} of priority ${priority}`).join(', ')}
        </p>
        <ul>
          {pods.map(({ pod, message }) => (
            <li key={pod}>
              {pod} <small>{message}</small>
            </li>
          ))}
        </ul>
        {pending > pods.length && <p>and {(pending - pods.length).toLocaleString('en')} more</p>}
        <button type="button" onClick={show}>
          Show this future
        </button>
      </details>
    </li>
  );
}
