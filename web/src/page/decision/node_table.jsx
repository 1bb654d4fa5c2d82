import { Fragment } from 'preact';
import { useContext } from 'preact/hooks';

import { MoreButton } from '../more_button.jsx';
import { DecisionSide } from './decision_side.js';
import './decision.css';

/** @import { Signal } from '@preact/signals' */
/** @import { ComponentChildren } from 'preact' */

/** How many nodes have a row at first, and how many more at each click. */
export const ROWS_AT_ONCE = 20;

/**
 * What a table shows. `omitted`: how many nodes have no row; `most`: how many have one; `tools`
 * stand over it; `rowEvents` hears what happens in any row; `children`: the rows.
 * @typedef {object} NodeTableProps
 * @property {string} title
 * @property {string} label
 * @property {string[]} heads
 * @property {number} omitted
 * @property {Signal<number>} most
 * @property {ComponentChildren} [tools]
 * @property {object} [rowEvents]
 * @property {ComponentChildren} children
 */

/**
 * A table with a row for each node, which scrolls in its own frame.
 * @param {NodeTableProps} props
 */
export function NodeTable(props) {
  const { title, label, heads, omitted, most, tools, rowEvents, children } = props;
  const side = useContext(DecisionSide);
  return (
    <>
      <h3>{title}</h3>
      {tools}
      <div class="table by-node" tabIndex={0} role="region" aria-label={`${label}${side}`}>
        <table>
          <thead>
            <tr>
              {['Node', ...heads].map((head) => (
                <th key={head} scope="col">
                  {head.split(/(?=[A-Z])/).map((part, at) => (
                    <Fragment key={at}>
                      {part}
                      <wbr />
                    </Fragment>
                  ))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...rowEvents}>{children}</tbody>
        </table>
      </div>
      {omitted > 0 && (
        <p>
          <MoreButton
            left={omitted}
            atOnce={ROWS_AT_ONCE}
            label={`Show more nodes of ${title}`}
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
 * Keeps the rows whose node has this in its name.
 * @param {{ search: Signal<string>, label: string }} props
 */
export function NodeSearch({ search, label }) {
  return (
    <label class="node-search">
      {label}{' '}
      <input
        type="search"
        value={search}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value;
        }}
      />
    </label>
  );
}
