/** CodeMirror for YAML whose completions and problems come from the worker. */
import { autocompletion } from '@codemirror/autocomplete';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, linter, setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { minimalSetup } from 'codemirror';

import { codeTheme } from './code_theme.js';

/**
 * @import { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
 * @import { Diagnostic } from '@codemirror/lint'
 * @import { Text } from '@codemirror/state'
 * @import { Completions } from '../../editor/completions.js'
 * @import { Problem } from '../../editor/problems.js'
 */

/** Nobody is told of a mistake while still making it: milliseconds. */
const LINT_DELAY = 400;

/** The largest text that is completed in: characters. */
const LARGEST_COMPLETED = 500_000;

/**
 * @typedef {object} YamlOptions
 * @property {string} label of the text, for who does not see it
 * @property {string} hint where there is no text
 * @property {(text: string) => Promise<Problem[]>} check
 * @property {(text: string, offset: number) => Promise<Completions | null>} complete
 * @property {() => void} onChange
 * @property {() => void} onApply
 */

/**
 * @param {string} text
 * @param {YamlOptions} options
 */
export function yamlState(text, { label, hint, check, complete, onChange, onApply }) {
  const apply = () => (onApply(), true);
  return EditorState.create({
    doc: text,
    extensions: [
      // Else it makes an empty line.
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: apply }])),
      minimalSetup,
      lineNumbers(),
      yaml(),
      indentOnInput(),
      bracketMatching(),
      autocompletion({ override: [completionSource(complete)] }),
      lintGutter(),
      linter(async ({ state: { doc } }) => diagnosticsOf(doc, await check(doc.toString())), {
        delay: LINT_DELAY,
      }),
      placeholder(hint),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) onChange();
      }),
      codeTheme,
    ],
  });
}

/** @param {YamlOptions['complete']} complete */
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
 * Shows problems at their lines.
 * @param {EditorView} view
 * @param {Problem[]} problems
 */
export function showProblems(view, problems) {
  const { state } = view;
  view.dispatch(setDiagnostics(state, diagnosticsOf(state.doc, problems)));
}

/**
 * @param {Text} doc
 * @param {Problem[]} problems
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
 * @param {Pick<Problem, 'line' | 'column'>} place
 */
export function offsetOf(doc, { line, column }) {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}
