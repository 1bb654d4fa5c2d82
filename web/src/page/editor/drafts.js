/** What a person writes in the editor: kept until it is applied or discarded. */
import { signal } from '@preact/signals';

/**
 * @import { EditorState } from '@codemirror/state'
 * @import { Edited } from '../../editor/editing.js'
 * @import { Problem } from '../../editor/problems.js'
 * @import { ObjectReference } from '../../world/cluster_writes.js'
 */

/**
 * One text. `seen` is what there was to edit when it was looked at last, `kept` the text that is no
 * edit: as it was read or applied.
 * @typedef {{ state: EditorState, seen: string, kept: string }} Draft
 */

export class Drafts {
  kind = signal(/** @type {Edited['kind']} */ ('objects'));
  /** The object that is edited. */
  reference = signal(/** @type {ObjectReference | null} */ (null));
  problems = signal(/** @type {readonly Problem[]} */ ([]));
  isEdited = signal(false);
  /** What became of the latest attempt to apply. */
  outcome = signal('');
  /** @type {Map<string, Draft>} */
  #drafts = new Map();

  /** Which text is edited; empty: none can be. */
  get key() {
    if (this.kind.value !== 'object') return this.kind.value;
    const { apiVersion, kind, namespace = '', name } = this.reference.value ?? {};
    return name === undefined ? '' : `${apiVersion} ${kind} ${namespace}/${name}`;
  }

  /** @param {string} key */
  get(key) {
    return this.#drafts.get(key);
  }

  /**
   * @param {string} key
   * @param {Draft} draft
   */
  set(key, draft) {
    this.#drafts.set(key, draft);
    this.isEdited.value = isEdited(draft);
  }
}

/** @param {Draft} draft */
export function isEdited({ state, kept }) {
  return state.doc.toString() !== kept;
}
