import { effect, untracked } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { ObjectChoice } from './object_choice.jsx';
import { ProblemList } from './problem_list.jsx';
import { textViewOf } from './text_view.js';
import './text_editor.css';

/** @import { Edited } from '../../editor/editing.js' */
/** @import { Session } from '../session.js' */
/** @import { Drafts } from './drafts.js' */

/**
 * The effect of Apply on each kind of text.
 * @type {Record<Edited['kind'], { title: string, about: string }>}
 */
const KINDS = {
  objects: {
    title: 'Objects',
    about: 'Creates the objects, or applies them to existing ones: other fields stay unchanged.',
  },
  object: {
    title: 'An object of the cluster',
    about: 'Sends your changes as a merge patch: a field that you remove is removed.',
  },
  configuration: {
    title: 'Configuration',
    about: 'Replaces the scheduler. If the configuration is refused, the old scheduler stays.',
  },
  scenario: {
    title: 'Scenario',
    about: 'Replaces the open scenario and starts from the beginning.',
  },
};

/** @param {{ session: Session }} props */
export function TextEditor({ session }) {
  const view = textViewOf(session);
  const { drafts } = view;
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => view.showIn(/** @type {HTMLElement} */ (frame.current)), []);
  useEffect(() => effect(() => follow(session)), []);
  const isLive = session.live.value !== null;
  useEffect(() => {
    if (isLive && !isOfLive(drafts.kind.value)) drafts.kind.value = 'objects';
  }, [isLive]);
  const { about } = KINDS[drafts.kind.value];
  const apply = drafts.kind.value === 'scenario' ? 'Open' : 'Apply';
  return (
    <div class="text-editor">
      <KindChoice drafts={drafts} isLive={isLive} />
      {drafts.kind.value === 'object' && <ObjectChoice session={session} drafts={drafts} />}
      <p class="about">{about}</p>
      <div class="code" ref={frame} />
      <div class="actions">
        <button
          type="button"
          title="Ctrl or ⌘ with Enter"
          disabled={drafts.isReading.value}
          onClick={() => view.apply()}
        >
          {apply}
        </button>
        {drafts.kind.value === 'objects' && (
          <button
            type="button"
            title="As for a dropped file: the output of kubectl get -o yaml"
            disabled={drafts.isReading.value}
            onClick={() => view.openAsCluster()}
          >
            Open as a cluster
          </button>
        )}
        {drafts.isForbidden.value && (
          <button
            type="button"
            title="Deletes the pod at once and creates it from this text, on no node"
            onClick={() => view.recreate()}
          >
            Change and re-create
          </button>
        )}
        <button type="button" disabled={!drafts.isEdited.value} onClick={() => view.discard()}>
          Discard edits
        </button>
        <output>{drafts.outcome.value || (drafts.isEdited.value ? 'Not applied yet.' : '')}</output>
      </div>
      <ProblemList problems={drafts.problems.value} onChoose={(problem) => view.goTo(problem)} />
    </div>
  );
}

/**
 * Opens the chosen text, and reads it again when the world changes. It runs synchronously with the
 * choice, because the user would otherwise type into the previous text.
 * @param {Session} session
 */
function follow(session) {
  const view = textViewOf(session);
  void [view.drafts.key, session.source.value, session.position.value, session.hash.value];
  untracked(() => void view.open());
}

/**
 * A live cluster has no scenario, and its scheduler cannot be configured here.
 * @param {string} kind
 */
function isOfLive(kind) {
  return kind === 'objects' || kind === 'object';
}

/** @param {{ drafts: Drafts, isLive: boolean }} props */
function KindChoice({ drafts, isLive }) {
  const kinds = Object.entries(KINDS).filter(([kind]) => !isLive || isOfLive(kind));
  return (
    <div class="what">
      <h2 id="edited">Edit</h2>
      <select
        aria-labelledby="edited"
        value={drafts.kind.value}
        onChange={({ currentTarget }) => {
          drafts.outcome.value = '';
          drafts.kind.value = /** @type {Edited['kind']} */ (currentTarget.value);
        }}
      >
        {kinds.map(([kind, { title }]) => (
          <option key={kind} value={kind}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}
