import { NodeTable } from './node_table.jsx';

/** @import { Preemption } from '../../../js/src/types.js' */
/** @import { Session } from './session.js' */

/** How many nodes are shown. */
const MOST = 100;

/**
 * Whom preemption would evict where, and where it would not help.
 * @param {{ session: Session, preemption: Preemption }} props
 */
export function PreemptionView({ session, preemption }) {
  const { candidates = [], rejected = {}, nominatedNode, victims = [] } = preemption;
  const refusals = Object.entries(rejected);
  const shown = candidates.slice(0, MOST);
  const refused = refusals.slice(0, MOST - shown.length);
  if (shown.length + refused.length === 0) return null;
  const omitted = candidates.length + refusals.length - shown.length - refused.length;
  return (
    <>
      <NodeTable
        title="Preemption"
        label="Candidates of preemption"
        heads={['PDB violations', 'Victims']}
        omitted={omitted}
      >
        {shown.map(({ node, pdbViolations, victims: own }) => (
          <tr
            key={node}
            class={node === nominatedNode ? 'chosen' : ''}
            onClick={() => session.selectNode(node)}
          >
            <th scope="row">{node}</th>
            <td>{pdbViolations}</td>
            <td>{own.join(', ')}</td>
          </tr>
        ))}
        {refused.map(([node, { plugin, reasons }]) => (
          <tr key={node} onClick={() => session.selectNode(node)}>
            <th scope="row">{node}</th>
            <td colSpan={2}>
              {plugin ? `${plugin}: ` : ''}
              {reasons.join(', ')}
            </td>
          </tr>
        ))}
      </NodeTable>
      {nominatedNode && (
        <p>
          Nominated to <b>{nominatedNode}</b>; evicted: {victims.join(', ') || 'nobody'}.
        </p>
      )}
    </>
  );
}
