import { Fragment } from 'preact';
import { useContext } from 'preact/hooks';

import { MoreButton } from '../more_button.jsx';
import { DecisionSide } from './decision_side.js';
import './decision.css';

/** @import { Signal } from '@preact/signals' */
/** @import { ComponentChildren } from 'preact' */

/** The number of rows at first, and the number that each click adds. */
export const ROWS_AT_ONCE = 20;

/**
 * A table's columns: one for the node, those `before` the plugins, and those `after` them.
 * `omitted`: the number of nodes without a row; `most`: the number of rows; `said` and `tools`
 * stand above it; `rowEvents` handle events of any row; `children`: the rows.
 * @typedef {object} NodeTableProps
 * @property {string} title
 * @property {string} label
 * @property {string[]} [before]
 * @property {string[]} [plugins]
 * @property {string[]} [after]
 * @property {number} omitted
 * @property {Signal<number>} most
 * @property {string} [said]
 * @property {ComponentChildren} [tools]
 * @property {object} [rowEvents]
 * @property {ComponentChildren} children
 */

/**
 * A table with a row for each node, which scrolls in its own frame.
 * @param {NodeTableProps} props
 */
export function NodeTable(props) {
  const { title, label, before = [], plugins = [], after = [], omitted, most } = props;
  const side = useContext(DecisionSide);
  return (
    <>
      <div class="decision-head">
        <h3>{title}</h3>
        {props.tools}
      </div>
      {props.said && <p class="margin">{props.said}</p>}
      <div class="table by-node" tabIndex={0} role="region" aria-label={`${label}${side}`}>
        <table>
          <thead>
            <tr>
              <Heads names={['Node', ...before]} />
              <Heads names={plugins} class="plugin" />
              <Heads names={after} />
            </tr>
          </thead>
          <tbody {...props.rowEvents}>{props.children}</tbody>
        </table>
      </div>
      {omitted > 0 && (
        <p>
          <MoreButton
            left={omitted}
            atOnce={ROWS_AT_ONCE}
            what={`nodes of ${title}`}
            onMore={() => {
              most.value += ROWS_AT_ONCE;
            }}
          />
        </p>
      )}
    </>
  );
}

/**
 * Names of columns that may wrap between their words.
 * @param {{ names: string[], class?: string }} props
 */
function Heads({ names, class: kind }) {
  return (
    <>
      {names.map((name) => (
        <th key={name} scope="col" class={kind}>
          <span>
            {name.split(/(?=[A-Z])/).map((part, at) => (
              <Fragment key={at}>
                {part}
                <wbr />
              </Fragment>
            ))}
          </span>
        </th>
      ))}
    </>
  );
}
