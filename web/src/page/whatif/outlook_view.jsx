/** @import { PodChange, WhatIfSummary } from '../../../../js/src/whatif.js' */
/** @import { Outlook } from '../../whatif/outlook.js' */
/** @import { Session } from '../session.js' */
/** @import { Desk } from './desk.js' */

/** The most pods that are listed. */
const MOST = 200;

/**
 * What one pod does, and several do.
 * @type {readonly { of: keyof WhatIfSummary, one: string, several: string }[]}
 */
const WORDS = [
  { of: 'waits', one: 'pod loses its node and waits', several: 'pods lose their nodes and wait' },
  { of: 'newWaits', one: 'new pod waits', several: 'new pods wait' },
  { of: 'moves', one: 'pod moves', several: 'pods move' },
  { of: 'placed', one: 'pod gets a node', several: 'pods get a node' },
  { of: 'returns', one: 'pod starts again', several: 'pods start again' },
  { of: 'ends', one: 'pod ends', several: 'pods end' },
];

/** What follows from the changes. @param {{ session: Session, desk: Desk }} props */
export function OutlookView({ session, desk }) {
  const outlook = desk.outlook.value;
  const isAsking = desk.isAsking.value;
  return (
    <>
      <p class="future-summary" role="status" aria-busy={isAsking}>
        {outlook && <b>{summaryText(outlook.summary)}</b>}
        {!outlook && isAsking && 'The scheduler is trying it.'}
      </p>
      <Drain desk={desk} />
      {outlook && <Affected session={session} outlook={outlook} />}
      {outlook && outlook.undecided > 0 && (
        <p class="hint">
          {counted(outlook.undecided, 'pod is', 'pods are')} pending now: they were tried first.
        </p>
      )}
    </>
  );
}

/** What budgets do to the drains. @param {{ desk: Desk }} props */
function Drain({ desk }) {
  const plan = desk.drain.value;
  if (!plan || (plan.rounds === 0 && plan.blocked.length === 0)) return null;
  const { rounds, secondsAtMost, blocked } = plan;
  return (
    <>
      {blocked.length > 0 && (
        <p class="banner">
          {counted(blocked.length, 'pod stays', 'pods stay')}, because a PodDisruptionBudget forbids
          the eviction: {blocked[0].pod}: {blocked[0].message}
        </p>
      )}
      {rounds > 0 && (
        <p class="hint">
          {counted(rounds, 'round', 'rounds')} of evictions, {secondsAtMost} s at most.
        </p>
      )}
    </>
  );
}

/** @param {WhatIfSummary} summary */
function summaryText(summary) {
  const parts = WORDS.filter(({ of }) => summary[of] > 0);
  if (parts.length === 0) return 'Every pod stays where it is.';
  return `${parts.map(({ of, one, several }) => counted(summary[of], one, several)).join(', ')}.`;
}

/** @param {number} number @param {string} one @param {string} several */
function counted(number, one, several) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : several}`;
}

/** @param {{ session: Session, outlook: Outlook }} props */
function Affected({ session, outlook: { pods } }) {
  if (pods.length === 0) return null;
  const shown = pods.slice(0, MOST);
  return (
    <>
      <div class="table differences" tabIndex={0} role="region" aria-label="Pods that are affected">
        <table>
          <thead>
            <tr>
              <th scope="col">Pod</th>
              <th scope="col">Now</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((change) => (
              <Row key={change.pod} session={session} change={change} />
            ))}
          </tbody>
        </table>
      </div>
      {pods.length > shown.length && (
        <p>and {(pods.length - shown.length).toLocaleString('en')} more pods</p>
      )}
    </>
  );
}

/** @param {{ session: Session, change: PodChange }} props */
function Row({ session, change: { pod, outcome, before, after } }) {
  const { node, message, preemptedBy } = after;
  const why = [preemptedBy && `preempted for ${preemptedBy}`, message].filter(Boolean).join('; ');
  const isPressed = session.selectedPod.value?.pod === pod;
  return (
    <>
      <tr class={outcome}>
        <th scope="row">
          <button type="button" aria-pressed={isPressed} onClick={() => session.selectPod(pod)}>
            {pod}
          </button>
        </th>
        <td>{before ? (before.node ?? 'waits') : 'new'}</td>
        <td>{node ?? (outcome === 'Ends' ? 'ends' : 'waits')}</td>
      </tr>
      {why && (
        <tr class="why">
          <td colSpan={3}>{why}</td>
        </tr>
      )}
    </>
  );
}
