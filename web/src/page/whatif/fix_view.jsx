import { useEffect } from 'preact/hooks';

import { CopyButton } from '../copy_button.jsx';
import { Fault } from '../fault.jsx';
import { Reading } from './reading.jsx';

/** @import { Fixes, Way } from '../../whatif/fixes.js' */
/** @import { Session } from '../session.js' */
/** @import { Desk } from './desk.js' */

/** The most pods to choose from. */
const MOST = 200;

/** How a pending pod could get a node. @param {{ session: Session, desk: Desk }} props */
export function FixView({ session, desk }) {
  const { about: pod, answer: fixes, fault, isAsking } = desk.fix;
  const pending = [...(session.cluster.value.podsOfNode.get('')?.keys() ?? [])];
  useEffect(() => {
    const selected = session.selectedPod.peek()?.pod ?? '';
    if (pod.peek() === '') pod.value = pending.includes(selected) ? selected : (pending[0] ?? '');
    return desk.fix.enter();
  }, []);
  const shown = pending.slice(0, MOST);
  if (pod.value !== '' && !shown.includes(pod.value)) shown.unshift(pod.value);
  if (shown.length === 0) return <p class="hint">No pod is pending.</p>;
  return (
    <>
      <p class="fields-in-line">
        <select
          aria-label="Pod"
          value={pod}
          onChange={({ currentTarget }) => {
            pod.value = currentTarget.value;
          }}
        >
          {shown.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </p>
      <Reading desk={desk} />
      <Fault fault={fault.value} />
      {fixes.value && fixes.value.group.length > 0 && (
        <ul aria-label="Pod group">
          {fixes.value.group.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {fixes.value?.message && <p class="message">{fixes.value.message}</p>}
      <p role="status" class="future-summary" aria-busy={isAsking}>
        {fixes.value && <b>{summaryOf(fixes.value)}</b>}
        {!fixes.value && isAsking.value && 'The scheduler is trying changes.'}
      </p>
      <ol class="ways" aria-label="Ways to fix it">
        {fixes.value?.ways.map((way) => (
          <WayView key={way.sentence} desk={desk} way={way} />
        ))}
      </ol>
    </>
  );
}

/** @param {Fixes} fixes */
function summaryOf({ node, isNever, ways, group }) {
  if (node && group.length > 0) return `By itself it would go to ${node}.`;
  if (node) return `It fits: its node is ${node}.`;
  if (ways.length > 0)
    return `${ways.length} ${ways.length === 1 ? 'way was' : 'ways were'} tried and work:`;
  const never = isNever ? ' No node would take it even without its pods.' : '';
  return `No change was found that gives it a node.${never}`;
}

/** @param {{ desk: Desk, way: Way }} props */
function WayView({ desk, way }) {
  const { sentence, node, evicts, commands, isOffered } = way;
  return (
    <li>
      <p>
        {sentence} <small>Then it goes to {node}.</small>
        {evicts.length > 0 && <small> It evicts {evicts.join(', ')}.</small>}
      </p>
      <p class="fields-in-line">
        {isOffered && (
          <button
            type="button"
            title="Each change becomes a step, which can be undone by going back"
            aria-label={`Apply: ${sentence}`}
            onClick={() => desk.fix.make(way)}
          >
            Apply
          </button>
        )}
        {commands.length > 0 && <CopyButton text={commands.join('\n')} words="Copy for kubectl" />}
      </p>
    </li>
  );
}
