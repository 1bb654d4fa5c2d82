/** The texts that the user edits, kept until they are applied or discarded. */
import { signal } from '@preact/signals';

/**
 * @import { EditorState } from '@codemirror/state'
 * @import { Edited } from '../../editor/editing.js'
 * @import { Problem } from '../../editor/problems.js'
 * @import { ObjectReference } from '../../world/cluster_writes.js'
 */

/**
 * One text. `seen` is the source's text when it was last read; `kept` is the unedited text, as it
 * was read or applied.
 * @typedef {{ state: EditorState, seen: string, kept: string }} Draft
 */

export class Drafts {
  kind = signal(/** @type {Edited['kind']} */ ('objects'));
  /** The object that is edited. */
  reference = signal(/** @type {ObjectReference | null} */ (null));
  problems = signal(/** @type {readonly Problem[]} */ ([]));
  isEdited = signal(false);
  /** The chosen text is being read, so there is nothing to apply yet. */
  isReading = signal(true);
  /** The result of the last Apply. */
  outcome = signal('');
  /** Whether a new pod could take the change that was refused. */
  isForbidden = signal(false);
  /** @type {Map<string, Draft>} */
  #drafts = new Map();
  #place;

  /**
   * @param {() => string} place the address of the live cluster that is followed; empty if there is
   *   none
   */
  constructor(place) {
    this.#place = place;
  }

  /** Identifies the text that is edited; empty if there is none. */
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
