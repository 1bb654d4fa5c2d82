import { useId } from 'preact/hooks';

import { whyNot } from '../../../../js/src/index.js';

/** @import { Signal } from '@preact/signals' */
/** @import { Evaluation } from '../../../../js/src/index.js' */
/** @import { Session } from '../session.js' */

/** The most names that are offered. */
const OFFERED = 50;

/**
 * Explains in a sentence why a node was not chosen: the node in the field, otherwise the selected
 * node.
 * @param {{ session: Session, evaluation: Evaluation, search: Signal<string> }} props `search`: a
 *   part of the names of the nodes that the tables show
 */
export function WhyNot({ session, evaluation, search }) {
  const list = useId();
  const names = evaluation.table?.nodes ?? [...session.cluster.value.nodes.keys()];
  const typed = search.value;
  const found = names.filter((name) => name.includes(typed));
  const about = typed === '' ? session.selectedNode.value : typed;
  const choose = (/** @type {string} */ name) => {
    search.value = name;
    if (names.includes(name)) session.selectNode(name);
  };
  return (
    <p class="why-not">
      <label>
        Why not{' '}
        <input
          type="search"
          list={list}
          placeholder="node, or a part"
          title="Show only nodes whose name contains this text"
          value={typed}
          onInput={({ currentTarget }) => choose(currentTarget.value.trim())}
        />
      </label>
      <datalist id={list}>
        {found.slice(0, OFFERED).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>{' '}
      <span class="answer" role="status">
        {about && names.includes(about) && whyNot(evaluation, about)}
        {found.length === 0 && `There is no node ${typed}.`}
      </span>
    </p>
  );
}
