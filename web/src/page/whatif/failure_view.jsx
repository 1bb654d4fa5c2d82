import { useComputed, useSignal } from '@preact/signals';

import { Fault } from '../fault.jsx';
import { MoreButton } from '../more_button.jsx';
import { nameOf } from './failures.js';
import { Reading } from './reading.jsx';

/** @import { FailureReport } from '../../../../js/src/whatif.js' */
/** @import { Domain } from '../../whatif/failures.js' */
/** @import { Session } from '../session.js' */
/** @import { Desk } from './desk.js' */

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
  const { total, tried, reports, isRunning, domain } = failures;
  if (total.value === 0) return null;
  const { one, all } = DOMAINS[domain.value];
  const [done, most] = [tried, total].map(({ value }) => value.toLocaleString('en'));
  const weak = reports.value.length;
  const result = `${weak === 0 ? 'No' : weak.toLocaleString('en')} ${weak === 1 ? one : all} of ${
    done
  } would leave pods pending.`;
  return (
    <>
      {isRunning.value && (
        <p class="fields-in-line">
          <progress aria-label={`Tried ${all}`} max={total} value={tried} />
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
            {tried.value < total.value && `Cancelled after ${done} of ${most} ${all}. `}
            <b>{result}</b>
          </>
        )}
      </p>
    </>
  );
}

/** The worst failures. @param {{ session: Session, desk: Desk }} props */
function Weakest({ session, desk }) {
  const { reports, tried, isOld, domain } = desk.failures;
  const most = useSignal(LISTED);
  const weak = useComputed(() => [...reports.value].sort((a, b) => b.waiting - a.waiting));
  return (
    <>
      {tried.value > 0 && isOld.value && (
        <p class="banner">The cluster has changed since. Try it again.</p>
      )}
      {weak.value.length > 0 && (
        <ul class="weakest" aria-label={`Weakest ${DOMAINS[domain.value].all}`}>
          {weak.value.slice(0, most.value).map((report) => (
            <Weak key={report.failure} session={session} desk={desk} report={report} />
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

/** @param {{ session: Session, desk: Desk, report: FailureReport }} props */
function Weak({ session, desk, report: { parts, waiting, byPriority, pods } }) {
  const isOpen = useSignal(false);
  const name = nameOf(parts[0]);
  const show = () => {
    const isZone = parts[0].startsWith('zone/');
    if (!isZone) session.selectNode(name);
    desk.clear();
    desk.add(isZone ? { type: 'removeZone', zone: name } : { type: 'removeNode', node: name });
  };
  return (
    <li>
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary>
          <b>{name}</b>: {waiting.toLocaleString('en')} {waiting === 1 ? 'pod' : 'pods'} pending
        </summary>
        {isOpen.value && (
          <>
            <p class="hint">
              {byPriority.map((one) => `${one.pods} of priority ${one.priority}`).join(', ')}
            </p>
            <ul>
              {pods.slice(0, LISTED).map(({ pod, message }) => (
                <li key={pod}>
                  {pod} <small>{message}</small>
                </li>
              ))}
            </ul>
            {waiting > LISTED && <p>and {(waiting - LISTED).toLocaleString('en')} more</p>}
            <button type="button" onClick={show}>
              Show this future
            </button>
          </>
        )}
      </details>
    </li>
  );
}
