import { useSignal } from '@preact/signals';

import { scoreTableOf } from './decision_tables.js';
import { marginText } from './margin.js';
import { NodeTable, ROWS_AT_ONCE } from './node_table.jsx';
import { PinnedScore, ScoreTip } from './score_tip.jsx';
import { useTip } from './use_tip.js';

/**
 * @import { Evaluation } from '../../../../js/src/index.js'
 * @import { Score, ScoreRow } from './decision_tables.js'
 * @import { Session } from '../session.js'
 * @import { ScoreName, Tip } from './use_tip.js'
 */

/**
 * A table of nodes by plugins, with the scores and their formulas.
 * @param {{ evaluation: Evaluation, session: Session, search: string }} props `search`: a part of
 *   the nodes' names
 */
export function ScoreTable({ evaluation, session, search }) {
  const most = useSignal(ROWS_AT_ONCE);
  const tip = useTip(evaluation);
  const { plugins, rows, omitted } = scoreTableOf(evaluation, { most: most.value, search });
  const margin = marginText(evaluation);
  if (!evaluation.total) return margin ? <p>{margin}</p> : null;
  const { value: selectedNode } = session.selectedNode;
  return (
    <>
      <NodeTable
        title="Score"
        label="Scores"
        before={['Total', 'Rank']}
        plugins={plugins.map(({ plugin, weight }) => `${plugin} ×${weight}`)}
        omitted={omitted}
        most={most}
        rowEvents={eventsOf(tip, plugins, session)}
        said={margin}
      >
        {/* By place: each decision begins with other nodes, and moving rows takes long. */}
        {rows.map((row, at) => (
          <tr key={at} class={rowClass(row, selectedNode)} data-node={row.node}>
            <th scope="row">{row.node}</th>
            <td>
              <b>{row.total}</b>
            </td>
            <td>{rankText(row)}</td>
            {row.scores.map((score, column) => (
              <ScoreCell
                key={column}
                score={score}
                isFirst={at + column === 0}
                name={{ plugin: plugins[column].plugin, node: row.node }}
              />
            ))}
          </tr>
        ))}
      </NodeTable>
      <p class="hint">
        Weighted score; below it raw → normalised. Point at a score for its formula, click to pin
        it.
      </p>
      <PinnedScore session={session} evaluation={evaluation} tip={tip} />
      <ScoreTip session={session} evaluation={evaluation} tip={tip} />
    </>
  );
}

/**
 * @param {{ score: Score, isFirst: boolean, name: ScoreName }} props `isFirst`: the score that Tab
 *   reaches; arrow keys move on from it
 */
function ScoreCell({ score: { raw, normalised, weighted }, isFirst, name }) {
  const isPlain = raw === normalised && normalised === weighted;
  return (
    <td>
      <button type="button" class="score" tabIndex={isFirst ? 0 : -1}>
        <span class="unseen">
          {name.plugin} on {name.node}:{' '}
        </span>
        {weighted}
        {!isPlain && (
          <small>
            {raw} → {normalised}
          </small>
        )}
      </button>
    </td>
  );
}

/**
 * One set of handlers for all scores, because there are many.
 * @param {Tip} tip
 * @param {{ plugin: string }[]} plugins in the order of the columns
 * @param {Session} session
 */
function eventsOf(tip, plugins, session) {
  const nameOf = (/** @type {HTMLElement} */ score) => {
    const row = score.closest('tr');
    return { plugin: plugins[columnOf(score)].plugin, node: row?.dataset.node ?? '' };
  };
  const show = (/** @type {Event} */ { target }) => {
    const score = scoreAt(target);
    if (score) tip.show(nameOf(score), score);
  };
  return {
    // Not on every pointerenter: keyboard scrolling moves other scores below the pointer.
    onPointerMove: show,
    onPointerOut: tip.leave,
    onFocusIn: show,
    onFocusOut: tip.leave,
    onKeyDown: moveOn,
    onClick: (/** @type {Event} */ { target }) => {
      const score = scoreAt(target);
      const row = target instanceof Element ? target.closest('tr') : null;
      if (score) tip.pin(nameOf(score));
      else if (row?.dataset.node) session.selectNode(row.dataset.node);
    },
  };
}

/**
 * @param {EventTarget | null} target
 * @returns {HTMLElement | null} the score's button
 */
function scoreAt(target) {
  return target instanceof Element ? target.closest('.score') : null;
}

/** @param {HTMLElement} score */
function columnOf(score) {
  return [...(score.closest('tr')?.querySelectorAll('.score') ?? [])].indexOf(score);
}

/**
 * Moves the focus from a score to its neighbour.
 * @param {KeyboardEvent} event
 */
function moveOn(event) {
  const from = scoreAt(event.target);
  const [down, right] = MOVES[event.key] ?? [0, 0];
  const row = from?.closest('tr');
  if (!from || !row || down + right === 0) return;
  event.preventDefault();
  const column = columnOf(from) + right;
  const next = down === 0 ? row : down > 0 ? row.nextElementSibling : row.previousElementSibling;
  const to = /** @type {HTMLElement | undefined} */ (next?.querySelectorAll('.score')[column]);
  if (!to) return;
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

/** @type {Record<string, [number, number]>} rows down, columns to the right */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** @param {ScoreRow} row @param {string | null} selectedNode */
function rowClass({ isChosen, node }, selectedNode) {
  return `${isChosen ? 'chosen' : ''} ${node === selectedNode ? 'selected' : ''}`;
}

/** @param {ScoreRow} row */
function rankText({ rank, isTied }) {
  return isTied ? `${rank} (tie)` : String(rank);
}
