/** The text in the editor: opened, checked, applied, and kept while the panel is closed. */
import { EditorView } from '@codemirror/view';

import { openText } from '../changes/open_files.js';
import { problemOf } from '../fault.jsx';
import { codeState, goTo, readingState, refreshText, showProblems } from './code_editor.js';
import { Drafts, isEdited } from './drafts.js';

/**
 * @import { Edited } from '../../editor/editing.js'
 * @import { Problem } from '../../editor/problems.js'
 * @import { Update } from '../../worker/opening.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 * @import { Draft } from './drafts.js'
 */

const WORDS = {
  objects: {
    label: 'Objects in YAML or JSON',
    hint: 'Paste or write objects: YAML or JSON, one or more documents, also Lists.',
  },
  object: { label: 'The object in YAML', hint: 'There is no such object.' },
  configuration: { label: 'The KubeSchedulerConfiguration in YAML', hint: '' },
  scenario: { label: 'The scenario in YAML', hint: '' },
};

/** The source name under which an edited scenario opens. */
const EDITED = 'edited';

class TextView {
  #session;
  #drafts;
  #view = new EditorView();
  /** The key of the draft that is shown; null while a text without a draft is being read. */
  #key = /** @type {string | null} */ (null);

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#drafts = new Drafts(() => session.live.value?.url ?? '');
  }

  get drafts() {
    return this.#drafts;
  }

  /** @param {HTMLElement} parent */
  showIn(parent) {
    parent.append(this.#view.dom);
    this.#view.requestMeasure();
  }

  /** Shows the chosen text as the user left it. A text without edits is read anew. */
  async open() {
    this.#keep();
    const key = this.#drafts.key;
    const draft = this.#drafts.get(key);
    if (!draft) this.#showReading();
    else if (key !== this.#key) this.#show(key, draft.state);
    if (draft && isEdited(draft)) return;
    const text = await this.#read();
    if (key !== this.#drafts.key) return;
    const now = this.#drafts.get(key);
    if (!now) return this.#replace(key, text);
    // The user may have typed meanwhile.
    if (isEdited(now) || now.seen === text) return;
    refreshText(this.#view, text);
    this.#drafts.set(key, { state: this.#view.state, seen: text, kept: text });
  }

  /** Discards the edits. */
  async discard() {
    this.#replace(this.#drafts.key, await this.#read());
    this.#drafts.outcome.value = '';
    this.#view.focus();
  }

  /** Applies the text. If it has errors, nothing is applied. */
  async apply() {
    const { key } = this.#drafts;
    const edited = this.#edited;
    const text = this.#view.state.doc.toString();
    let isApplied = false;
    await this.#session.ask(async (playground) => {
      const { problems, updates, isForbidden } = await playground.applyText(edited, text);
      this.#drafts.isForbidden.value = isForbidden;
      this.#found(problems);
      showProblems(this.#view, problems);
      for (const update of updates) await this.#session.show(update);
      isApplied = !hasErrors(problems) && updates.every(wasTaken);
      this.#drafts.outcome.value = outcomeText(problems, updates);
    });
    if (isApplied && edited.kind === 'scenario') isApplied = await this.#session.open(text, EDITED);
    if (isApplied) await this.#settle(key, edited.kind, text);
  }

  /** Replaces the pod with a new one made from the text. */
  async recreate() {
    const { key } = this.#drafts;
    const text = this.#view.state.doc.toString();
    let isMade = false;
    await this.#session.ask(async (playground) => {
      const updates = await playground.recreate(text);
      for (const update of updates) await this.#session.show(update);
      isMade = updates.every(wasTaken);
      this.#drafts.outcome.value = isMade ? 'Re-created.' : 'Not all of it was applied.';
    });
    this.#drafts.isForbidden.value = false;
    if (isMade) await this.#settle(key, 'object', text);
  }

  /** Opens the text like a file: its objects become a cluster of their own. */
  async openAsCluster() {
    const text = this.#view.state.doc.toString();
    const refused = await openText(this.#session, text);
    if (!refused) return this.#settle('objects', 'objects', text);
    const problems = [problemOf(refused)];
    this.#found(problems);
    showProblems(this.#view, problems);
    this.#drafts.outcome.value = 'Nothing was opened.';
  }

  /** @param {Problem} problem */
  goTo(problem) {
    goTo(this.#view, problem);
    this.#view.focus();
  }

  /** @returns {Edited} */
  get #edited() {
    const { kind, key } = { kind: this.#drafts.kind.value, key: this.#drafts.key };
    if (kind !== 'object') return { kind };
    return { kind, base: this.#drafts.get(key)?.seen ?? '' };
  }

  /** Reads the text to edit. @returns {Promise<string>} */
  async #read(kind = this.#drafts.kind.value) {
    if (kind === 'objects') return '';
    const what = kind === 'object' ? this.#drafts.reference.value : kind;
    if (!what) return '';
    try {
      return await this.#session.query((playground) => playground.editable(what));
    } catch (error) {
      this.#drafts.outcome.value = /** @type {PlainError} */ (error).message;
      return '';
    }
  }

  /**
   * Marks the applied text as unedited. The editor then shows the object as the API server returned
   * it, unless the user typed meanwhile.
   * @param {string} key
   * @param {Edited['kind']} kind
   * @param {string} text
   */
  async #settle(key, kind, text) {
    const seen = kind === 'object' ? text : await this.#read(kind);
    this.#keep();
    const draft = this.#drafts.get(key);
    if (draft) this.#drafts.set(key, { ...draft, seen, kept: text });
    if (kind === 'object') await this.open();
  }

  /**
   * @param {string} key
   * @param {string} text
   */
  #replace(key, text) {
    const { kind } = this.#drafts;
    const state = codeState(text, {
      language: 'yaml',
      ...WORDS[kind.value],
      check: (written) => this.#check(written),
      complete: (written, offset) => this.#complete(written, offset),
      onChange: () => {
        this.#keep();
        this.#drafts.outcome.value = '';
        this.#drafts.isForbidden.value = false;
      },
      onApply: () => void this.apply(),
    });
    this.#drafts.set(key, { state, seen: text, kept: text });
    this.#show(key, state);
  }

  /** The previous text takes no more input, which would go to another draft. */
  #showReading() {
    this.#key = null;
    this.#drafts.isReading.value = true;
    this.#drafts.isEdited.value = false;
    this.#forgetProblems();
    this.#view.setState(readingState());
  }

  /**
   * @param {string} key
   * @param {Draft['state']} state
   */
  #show(key, state) {
    this.#key = key;
    this.#drafts.isReading.value = false;
    this.#forgetProblems();
    this.#view.setState(state);
    this.#keep();
  }

  #forgetProblems() {
    this.#drafts.problems.value = [];
    this.#drafts.isForbidden.value = false;
  }

  /** Stores the editor's state in the draft. */
  #keep() {
    if (this.#key === null) return;
    const draft = this.#drafts.get(this.#key);
    if (draft) this.#drafts.set(this.#key, { ...draft, state: this.#view.state });
  }

  /**
   * @param {string} text
   * @returns {Promise<Problem[]>}
   */
  async #check(text) {
    const problems =
      text.trim() === ''
        ? []
        : await this.#session.query((playground) => playground.check(this.#edited, text));
    if (text === this.#view.state.doc.toString()) this.#found(problems);
    return problems;
  }

  /**
   * @param {string} text
   * @param {number} offset
   */
  #complete(text, offset) {
    const { value: kind } = this.#drafts.kind;
    return this.#session.query((playground) => playground.complete(kind, text, offset));
  }

  /** @param {Problem[]} problems */
  #found(problems) {
    this.#drafts.problems.value = problems;
  }
}

/** @type {WeakMap<Session, TextView>} */
const ALL = new WeakMap();

/** The session's one view, which exists even while the panel is closed. @param {Session} session */
export function textViewOf(session) {
  const view = ALL.get(session) ?? new TextView(session);
  ALL.set(session, view);
  return view;
}

/** @param {readonly Problem[]} problems */
function hasErrors(problems) {
  return problems.some(({ severity }) => severity === 'error');
}

/** @param {Update} update */
function wasTaken({ errors = [] }) {
  return errors.length === 0;
}

/**
 * @param {Problem[]} problems
 * @param {Update[]} updates
 */
function outcomeText(problems, updates) {
  if (hasErrors(problems)) return 'Nothing was applied.';
  if (!updates.every(wasTaken)) return 'Not all of it was applied.';
  return 'Applied.';
}
