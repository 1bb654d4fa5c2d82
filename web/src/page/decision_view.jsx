import { whyNot } from '../../../js/src/evaluation.js';
import { matrixOf, scoreTableOf } from './decision_tables.js';
import { NodeTable } from './node_table.jsx';
import { PreemptionView } from './preemption_view.jsx';

/** @import { Evaluation } from '../../../js/src/types.js' */
/** @import { Session } from './session.js' */

/** How many nodes the tables show. */
const MOST = 100;

/** Why a pod is where it is. @param {{ session: Session }} props */
export function DecisionView({ session }) {
  const selected = session.selectedPod.value;
  const evaluation = session.evaluation.value;
  if (!selected) return <p class="hint">Choose a pod, or a decision of the timeline.</p>;
  if (!evaluation) return <p class="hint">{selected.pod} is not there any more.</p>;
  const { pod, node, message, numAllNodes, evaluatedNodes, feasibleNodes } = evaluation;
  return (
    <>
      <h2>{pod}</h2>
      <p>
        {selected.attempt === undefined ? 'What the next cycle would do: ' : 'This attempt: '}
        <strong>{node ? `node ${node}` : 'no node'}</strong>
        {evaluatedNodes !== undefined &&
          `; ${evaluatedNodes} of ${numAllNodes} nodes looked at, ${feasibleNodes} fit`}
      </p>
      {message && <p class="message">{message}</p>}
      <WhyNot session={session} evaluation={evaluation} />
      <Matrix evaluation={evaluation} session={session} />
      <Scores evaluation={evaluation} />
      {evaluation.preemption && (
        <PreemptionView session={session} preemption={evaluation.preemption} />
      )}
    </>
  );
}

/** @param {{ session: Session, evaluation: Evaluation }} props */
function WhyNot({ session, evaluation }) {
  const node = session.selectedNode.value;
  const names = evaluation.table?.nodes ?? [];
  return (
    <p>
      <label>
        Why not{' '}
        <select
          value={node ?? ''}
          onChange={({ currentTarget }) => session.selectNode(currentTarget.value || null)}
        >
          <option value="">…</option>
          {names.slice(0, 1000).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        ?
      </label>{' '}
      {node && names.includes(node) && <span class="answer">{whyNot(evaluation, node)}</span>}
    </p>
  );
}

/** Nodes by plugins. @param {{ evaluation: Evaluation, session: Session }} props */
function Matrix({ evaluation, session }) {
  const { plugins, rows, omitted } = matrixOf(evaluation, MOST);
  if (rows.length === 0) return null;
  return (
    <NodeTable title="Filter" label="Nodes by plugins" heads={plugins} omitted={omitted}>
      {rows.map(({ node, verdict, cells }) => (
        <tr key={node} class={verdict} onClick={() => session.selectNode(node)}>
          <th scope="row">{node}</th>
          {cells.map(({ state, reason }, index) => (
            <td key={index} class={state} title={reason}>
              <span aria-label={reason || state}>{SIGNS[state]}</span>
            </td>
          ))}
        </tr>
      ))}
    </NodeTable>
  );
}

const SIGNS = /** @type {const} */ ({ passed: '✓', refused: '✗', also: '✗', notReached: '·' });

/** @param {{ evaluation: Evaluation }} props */
function Scores({ evaluation }) {
  const { plugins, rows, omitted } = scoreTableOf(evaluation, MOST);
  if (rows.length === 0) return null;
  const heads = [...plugins.map(({ plugin, weight }) => `${plugin} ×${weight}`), 'Total'];
  return (
    <NodeTable title="Score" label="Scores" heads={heads} omitted={omitted}>
      {rows.map(({ node, total, scores, isBest }) => (
        <tr key={node} class={isBest ? 'chosen' : ''}>
          <th scope="row">{node}</th>
          {scores.map(({ raw, normalised, weighted, weight }, index) => (
            <td
              key={index}
              title={`raw ${raw}, normalised ${normalised}, times ${weight} is ${weighted}`}
            >
              {weighted}
            </td>
          ))}
          <td>
            <b>{total}</b>
          </td>
        </tr>
      ))}
    </NodeTable>
  );
}
