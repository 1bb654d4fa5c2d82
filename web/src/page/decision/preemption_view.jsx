import { useSignal } from '@preact/signals';

import { NodeTable, ROWS_AT_ONCE } from './node_table.jsx';
import { useAnswer } from './use_answer.js';
import { whyNotPicked } from './picks.js';

/** @import { Evaluation, Preemption } from '../../../../js/src/index.js' */
/** @import { Session } from '../session.js' */

/**
 * The candidates of preemption with their victims, the pick among them, and the nodes where
 * preemption would not help.
 * @param {{ session: Session, evaluation: Evaluation, preemption: Preemption }} props
 */
export function PreemptionView({ session, evaluation, preemption }) {
  const { candidates = [], rejected = {}, nominatedNode, victims = [] } = preemption;
  const most = useSignal(ROWS_AT_ONCE);
  const notes = useAnswer(() => session.explainPick(), [evaluation]).value?.value;
  const decisive = notes?.criteria.at(-1);
  const refusals = Object.entries(rejected);
  const shown = candidates.slice(0, most.value);
  const refused = refusals.slice(0, most.value - shown.length);
  if (shown.length + refused.length === 0) return null;
  const omitted = candidates.length + refusals.length - shown.length - refused.length;
  return (
    <>
      <NodeTable
        title="Preemption"
        label="Candidates of preemption"
        after={['PDB violations', 'Victims', 'Picked']}
        omitted={omitted}
        most={most}
      >
        {shown.map(({ node, pdbViolations, victims: own }) => (
          <tr
            key={node}
            class={node === nominatedNode ? 'chosen' : ''}
            onClick={() => session.selectNode(node)}
          >
            <th scope="row">{node}</th>
            <td>{pdbViolations}</td>
            <td class="reason">{own.join(', ')}</td>
            <td class="reason">{node === nominatedNode ? 'picked' : whyNotPicked(notes, node)}</td>
          </tr>
        ))}
        {refused.map(([node, { plugin, reasons }]) => (
          <tr key={node} onClick={() => session.selectNode(node)}>
            <th scope="row">{node}</th>
            <td colSpan={3} class="reason">
              {plugin ? `${plugin}: ` : ''}
              {reasons.join(', ')}
            </td>
          </tr>
        ))}
      </NodeTable>
      {nominatedNode && (
        <p>
          Nominated to <b>{nominatedNode}</b>; evicted: {victims.join(', ') || 'none'}.
          {decisive && ` Decided by: ${decisive.criterion}.`}
        </p>
      )}
    </>
  );
}
