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
  if (candidates.length + refusals.length + victims.length === 0) return null;
  return (
    <>
      <h3>Preemption</h3>
      {nominatedNode && (
        <p>
          Nominated to <b>{nominatedNode}</b>; evicted: {victims.join(', ') || 'nobody'}.
        </p>
      )}
      <div class="table" tabIndex={0} role="region" aria-label="Candidates of preemption">
        <table>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">PDB violations</th>
              <th scope="col">Victims</th>
            </tr>
          </thead>
          <tbody>
            {candidates.slice(0, MOST).map((candidate) => (
              <tr
                key={candidate.node}
                class={candidate.node === nominatedNode ? 'chosen' : ''}
                onClick={() => session.selectNode(candidate.node)}
              >
                <th scope="row">{candidate.node}</th>
                <td>{candidate.pdbViolations}</td>
                <td>{candidate.victims.join(', ')}</td>
              </tr>
            ))}
            {refusals.slice(0, MOST).map(([node, { plugin, reasons }]) => (
              <tr key={node} onClick={() => session.selectNode(node)}>
                <th scope="row">{node}</th>
                <td colSpan={2}>
                  {plugin ? `${plugin}: ` : ''}
                  {reasons.join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
