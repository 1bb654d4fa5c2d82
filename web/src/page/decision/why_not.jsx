import { useSignal, useSignalEffect } from '@preact/signals';
import { useId } from 'preact/hooks';

import { whyNot } from '../../../../js/src/evaluation.js';

/** @import { Evaluation } from '../../../../js/src/types.js' */
/** @import { Session } from '../session.js' */

/** How many names are offered. */
const OFFERED = 50;

/**
 * Why a node was not chosen, in a sentence.
 * @param {{ session: Session, evaluation: Evaluation }} props
 */
export function WhyNot({ session, evaluation }) {
  const text = useSignal('');
  const list = useId();
  useSignalEffect(() => {
    text.value = session.selectedNode.value ?? '';
  });
  const names = evaluation.table?.nodes ?? [...session.cluster.value.nodes.keys()];
  const typed = text.value;
  const offered = names.filter((name) => name.includes(typed)).slice(0, OFFERED);
  const isKnown = names.includes(typed);
  const choose = (/** @type {string} */ name) => {
    text.value = name;
    if (names.includes(name)) session.selectNode(name);
    else if (name === '') session.selectNode(null);
  };
  return (
    <p>
      <label>
        Why not{' '}
        <input
          type="search"
          list={list}
          placeholder="node"
          value={typed}
          onInput={({ currentTarget }) => choose(currentTarget.value)}
        />
        ?
      </label>
      <datalist id={list}>
        {offered.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>{' '}
      <span class="answer" role="status">
        {isKnown && whyNot(evaluation, typed)}
        {!isKnown && typed !== '' && offered.length === 0 && `There is no node ${typed}.`}
      </span>
    </p>
  );
}
