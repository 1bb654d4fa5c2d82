/** The text that is edited in the editor: opened, checked, applied, and never lost. */
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

/** Under which name an edited scenario is opened. */
const EDITED = 'edited';

class TextView {
  #session;
  #drafts;
  #view = new EditorView();
  /** Of the draft that is shown; null while a text that has no draft yet is read. */
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

  /** Shows the text that was chosen, as it was left; what is no edit is read anew. */
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
    // The person may have written meanwhile.
    if (isEdited(now) || now.seen === text) return;
    refreshText(this.#view, text);
    this.#drafts.set(key, { state: this.#view.state, seen: text, kept: text });
  }

  /** Forgets the edits. */
  async discard() {
    this.#replace(this.#drafts.key, await this.#read());
    this.#drafts.outcome.value = '';
    this.#view.focus();
  }

  /** Does what the text says. Where something is wrong, nothing is done and the text stays. */
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

  /** Has another pod made of the text, in the place of the one that cannot be changed so. */
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

  /** Opens the text as a file: its objects are a cluster of their own. */
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

  /** What there is to edit. @returns {Promise<string>} */
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
   * What was applied is no edit any more. The editor then shows an object as the API server has it,
   * unless the person wrote on while it was applied.
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

  /** The text that was shown before takes no more input: it would go to another draft. */
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

  /** The draft is as it is shown. */
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

/** There is one, also while nobody sees it. @param {Session} session */
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
