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
  /** The text that was chosen is read: there is nothing to apply yet. */
  isReading = signal(true);
  /** What became of the latest attempt to apply. */
  outcome = signal('');
  /** Whether what was refused can be had of a new pod. */
  isForbidden = signal(false);
  /** @type {Map<string, Draft>} */
  #drafts = new Map();
  #place;

  /** @param {() => string} place of a live cluster that is followed; empty: none is */
  constructor(place) {
    this.#place = place;
  }

  /** Which text is edited; empty: none can be. */
  get key() {
    if (this.kind.value !== 'object') return this.kind.value;
    const { apiVersion, kind, namespace = '', name } = this.reference.value ?? {};
    if (name === undefined) return '';
    return `${this.#place()} ${apiVersion} ${kind} ${namespace}/${name}`;
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
    if (key === this.key) this.isEdited.value = isEdited(draft);
  }
}

/** @param {Draft} draft */
export function isEdited({ state, kept }) {
  return state.doc.toString() !== kept;
}
