import { useSignal } from '@preact/signals';

import { culpritSentence, devicesLeft } from '../../../../js/src/index.js';
import { NodeTable, ROWS_AT_ONCE } from './node_table.jsx';
import { useAnswer } from './use_answer.js';

/**
 * @import { Culprit, DeviceRequest, Evaluation } from '../../../../js/src/index.js'
 * @import { Session } from '../session.js'
 */

/**
 * A table of nodes and requests of the pod's claims: how many devices each rule leaves.
 * @param {{ session: Session, evaluation: Evaluation, search: string }} props `search`: a part of
 *   the nodes' names
 */
export function DeviceView({ session, evaluation, search }) {
  const most = useSignal(ROWS_AT_ONCE);
  const isAbout = lacksDevices(evaluation);
  const answer = useAnswer(
    async () => (isAbout ? session.explainDevices() : undefined),
    [evaluation],
  ).value?.value;
  if (!answer) return null;
  const { columns, rows } = devicesLeft(answer.culprits);
  const found = rows.filter(({ node }) => node.includes(search));
  if (rows.length === 0) return null;
  const shown = found.slice(0, most.value);
  return (
    <>
      <NodeTable
        title="Devices"
        label="Devices that each rule leaves"
        before={['Request', 'Asked', 'Devices', ...columns]}
        after={['Most refused by']}
        omitted={found.length - shown.length}
        most={most}
        said={answer.unserved.join(' ')}
      >
        {shown.map(({ node, request, left, mostBy }, index) => (
          <tr
            key={index}
            class={node === session.selectedNode.value ? 'selected' : ''}
            onClick={() => session.selectNode(node)}
          >
            <th scope="row">{node}</th>
            <td title={claimText(request)}>{request.request}</td>
            <td>{request.asked}</td>
            <td>{request.devices}</td>
            {left.map((number, column) => (
              <td key={column} class={isLast(column, left) && request.missing > 0 ? 'lacking' : ''}>
                {number}
              </td>
            ))}
            <td class="reason expression">{mostBy}</td>
          </tr>
        ))}
      </NodeTable>
      <p class="hint">
        {nodeText(answer.culprits, session.selectedNode.value) ??
          'The devices of each node; after them, how many are left after each rule.'}
      </p>
    </>
  );
}

/** Whether DynamicResources refuses a node. @param {Evaluation} evaluation */
function lacksDevices({ filter = [], filterAll = [] }) {
  return [...filter, ...filterAll].some(({ plugin }) => plugin === 'DynamicResources');
}

/** @param {Culprit[]} culprits @param {string | null} selected */
function nodeText(culprits, selected) {
  const culprit = culprits.find(({ node }) => node === selected);
  return culprit && `${selected}: ${culpritSentence(culprit)}.`;
}

/** @param {DeviceRequest} request */
function claimText({ claim, deviceClass }) {
  return claim === undefined
    ? `class ${deviceClass}, for extended resources`
    : `class ${deviceClass}, claim ${claim}`;
}

/** @param {number} column @param {number[]} columns */
function isLast(column, columns) {
  return column === columns.length - 1;
}
