import { useSignal } from '@preact/signals';

import { matrixOf } from './decision_tables.js';
import { NodeTable, ROWS_AT_ONCE } from './node_table.jsx';

/**
 * @import { Evaluation } from '../../../../js/src/index.js'
 * @import { MatrixRow } from './decision_tables.js'
 * @import { Session } from '../session.js'
 */

/** The style sheet adds the signs. */
const WORDS = /** @type {const} */ ({
  passed: 'passed',
  refused: 'refused',
  also: 'would refuse',
  notReached: 'not reached',
});

/**
 * A table of nodes by plugins, with the verdicts.
 * @param {{ evaluation: Evaluation, session: Session, search: string }} props `search`: a part of
 *   the nodes' names
 */
export function FilterMatrix({ evaluation, session, search }) {
  const isAll = useSignal(false);
  const most = useSignal(ROWS_AT_ONCE);
  const { preFilter, preFilterResult, absent } = evaluation;
  if (preFilter)
    return (
      <>
        <h3>Filter</h3>
        <p>
          No node was filtered: {preFilter.plugin} refuses the pod in PreFilter.{' '}
          {preFilter.reasons.join(', ')}
        </p>
      </>
    );
  const options = { most: most.value, search, isAll: isAll.value };
  const { plugins, skipped, rows, omitted } = matrixOf(evaluation, options);
  if (!evaluation.table?.nodes.length) return null;
  const tools = (
    <label>
      <input
        type="checkbox"
        checked={isAll}
        onChange={({ currentTarget }) => {
          isAll.value = currentTarget.checked;
        }}
      />{' '}
      All refusals
    </label>
  );
  return (
    <>
      <NodeTable
        title="Filter"
        label="Nodes by plugins"
        plugins={plugins}
        after={['Reason']}
        omitted={omitted}
        most={most}
        tools={tools}
      >
        {/* By place: each decision begins with other nodes, and moving rows takes long. */}
        {rows.map((row, index) => (
          <Row key={index} row={row} plugins={plugins} evaluation={evaluation} session={session} />
        ))}
      </NodeTable>
      {preFilterResult && absent && (
        <p>
          PreFilter left {preFilterResult.length} nodes. The others: {absent.reasons.join(', ')}
        </p>
      )}
      {skipped.length > 0 && (
        <p class="hint">Skipped, as the pod gives them nothing to do: {skipped.join(', ')}.</p>
      )}
    </>
  );
}

/**
 * @param {{ row: MatrixRow, plugins: string[], evaluation: Evaluation, session: Session }} props
 */
function Row({ row, plugins, evaluation, session }) {
  const { node, verdict, cells } = row;
  const isSelected = session.selectedNode.value === node;
  return (
    <tr
      class={`${verdict} ${isSelected ? 'selected' : ''}`}
      onClick={() => session.selectNode(node)}
    >
      <th scope="row">{node}</th>
      {cells.map(({ state, reason }, index) => (
        <td key={index} class={state} title={reason}>
          <span class="unseen">{WORDS[state]}</span>
        </td>
      ))}
      <td class="reason">{reasonText(row, plugins, evaluation)}</td>
    </tr>
  );
}

/**
 * @param {MatrixRow} row
 * @param {string[]} plugins
 * @param {Evaluation} evaluation
 */
function reasonText({ verdict, cells }, plugins, { absent }) {
  const refusals = cells.flatMap(({ state, reason }, index) =>
    state === 'refused' || state === 'also' ? [`${plugins[index]}: ${reason}`] : [],
  );
  if (verdict === 'absent') refusals.unshift(absent?.reasons.join(', ') ?? 'outside of PreFilter');
  if (verdict === 'notReached') refusals.unshift('not reached');
  return refusals.join('; ');
}
