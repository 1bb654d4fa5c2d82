/** The page's CodeMirror. It is large, so it loads when the user first edits. */
import { autocompletion } from '@codemirror/autocomplete';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, linter, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, Prec, Transaction } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { minimalSetup } from 'codemirror';

import { codeTheme } from './code_theme.js';
import { javascriptMode } from './javascript_mode.js';
import { yamlMode } from './yaml_mode.js';

/**
 * @import { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
 * @import { Diagnostic } from '@codemirror/lint'
 * @import { Text } from '@codemirror/state'
 * @import { Completions } from '../../editor/completions.js'
 * @import { Problem } from '../../editor/problems.js'
 */

/** @typedef {Pick<Problem, 'line' | 'column'>} Place */

/**
 * Delay of the check after the last edit, so that unfinished words are not reported: milliseconds.
 */
const LINT_DELAY = 400;

/** The largest text with completions, in characters. */
const LARGEST_COMPLETED = 500_000;

const LANGUAGES = { yaml: yamlMode, javascript: javascriptMode };

/**
 * @typedef {object} CodeOptions
 * @property {keyof typeof LANGUAGES} language
 * @property {string} label the label for screen readers
 * @property {string} [hint] shown while the text is empty
 * @property {(text: string) => Promise<Problem[]>} check
 * @property {(text: string, offset: number) => Promise<Completions | null>} [complete]
 * @property {(state: EditorState) => void} onChange
 * @property {() => void} [onApply]
 */

/**
 * @param {string} text
 * @param {CodeOptions} options
 */
export function codeState(text, options) {
  const { language, label, hint = '', check, complete, onChange, onApply } = options;
  const apply = () => (onApply?.(), true);
  return EditorState.create({
    doc: text,
    extensions: [
      // Without this, Enter would insert a line.
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: apply }])),
      minimalSetup,
      lineNumbers(),
      LANGUAGES[language],
      indentOnInput(),
      bracketMatching(),
      search({ top: true }),
      keymap.of(searchKeymap),
      complete ? autocompletion({ override: [completionSource(complete)] }) : [],
      lintGutter(),
      linter(async ({ state: { doc } }) => diagnosticsOf(doc, await check(doc.toString())), {
        delay: LINT_DELAY,
      }),
      placeholder(hint),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (docChanged && !transactions.every(isRefresh)) onChange(state);
      }),
      codeTheme,
    ],
  });
}

/** The state until a text has been read: it takes no input. */
export function readingState() {
  return EditorState.create({
    extensions: [
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': 'The text is loading', 'aria-busy': 'true' }),
      codeTheme,
    ],
  });
}

/**
 * @param {HTMLElement} parent
 * @param {string} text
 * @param {CodeOptions} options
 */
export function openEditor(parent, text, options) {
  return new EditorView({ parent, state: codeState(text, options) });
}

/**
 * Replaces the whole text; the user can undo it.
 * @param {EditorView} view
 * @param {string} text
 */
export function replaceText(view, text) {
  const { doc } = view.state;
  if (doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
}

/** Marks a transaction that updates the text to the world's state, and is no edit of the user. */
const refresh = Annotation.define();

/** @param {Transaction} transaction */
function isRefresh(transaction) {
  return transaction.annotation(refresh) === true;
}

/**
 * Shows a newer version of the text. Only the lines that differ change, so that the cursor, the
 * selection and the scroll position stay. The change cannot be undone and does not call `onChange`.
 * @param {EditorView} view
 * @param {string} text
 */
export function refreshText(view, text) {
  const old = view.state.doc.toString();
  const shorter = Math.min(old.length, text.length);
  let from = 0;
  while (from < shorter && old[from] === text[from]) from++;
  let same = 0;
  while (same < shorter - from && old.at(-1 - same) === text.at(-1 - same)) same++;
  view.dispatch({
    changes: { from, to: old.length - same, insert: text.slice(from, text.length - same) },
    annotations: [refresh.of(true), Transaction.addToHistory.of(false)],
  });
}

/** @param {NonNullable<CodeOptions['complete']>} complete */
function completionSource(complete) {
  /**
   * @param {CompletionContext} context
   * @returns {Promise<CompletionResult | null>}
   */
  return async ({ state: { doc }, pos, explicit }) => {
    const { from, text } = doc.lineAt(pos);
    const isWanted = explicit || /[\w./-]$|:\s$|-\s$/.test(text.slice(0, pos - from));
    if (!isWanted || doc.length > LARGEST_COMPLETED) return null;
    const found = await complete(doc.toString(), pos);
    return found && { ...found, validFor: /^[\w./-]*$/ };
  };
}

/**
 * Marks problems at their lines.
 * @param {EditorView} view
 * @param {readonly Problem[]} problems
 */
export function showProblems(view, problems) {
  const { state } = view;
  view.dispatch(setDiagnostics(state, diagnosticsOf(state.doc, problems)));
}

/**
 * Moves the cursor to a problem.
 * @param {EditorView} view
 * @param {Place} place
 */
export function goTo(view, place) {
  const anchor = offsetOf(view.state.doc, place);
  view.dispatch({ selection: { anchor }, scrollIntoView: true });
}

/**
 * @param {Text} doc
 * @param {readonly Problem[]} problems
 * @returns {Diagnostic[]}
 */
function diagnosticsOf(doc, problems) {
  return problems.map((problem) => {
    const { severity, message } = problem;
    const from = offsetOf(doc, problem);
    const line = doc.lineAt(from);
    const [word] = /^\S*/.exec(line.text.slice(from - line.from)) ?? [''];
    return { from, to: from + word.length, severity, message };
  });
}

/**
 * @param {Text} doc
 * @param {Place} place
 */
function offsetOf(doc, { line, column }) {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}
