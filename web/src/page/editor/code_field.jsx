import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Fault, problemOf } from '../fault.jsx';
import { ProblemList } from './problem_list.jsx';
import './code_field.css';

/**
 * @import { ReadonlySignal } from '@preact/signals'
 * @import { EditorView } from '@codemirror/view'
 * @import { Problem } from '../../editor/problems.js'
 * @import { Fault as SaidFault } from '../session.js'
 * @import { CodeOptions } from './code_editor.js'
 */

/**
 * `refused`: the error with which the text was refused.
 * @typedef {Omit<CodeOptions, 'onChange'> & { text: ReadonlySignal<string>, refused: SaidFault |
 *   null, onChange: (text: string) => void }} CodeFieldProps
 */

/** @typedef {typeof import('./code_editor.js')} CodeEditor */

/**
 * A text to edit, with its problems. Until the editor has loaded, or if it fails to, this is a
 * plain text field.
 * @param {CodeFieldProps} props
 */
export function CodeField(props) {
  const { label, text, hint, refused, onChange } = props;
  const problems = useSignal(/** @type {readonly Problem[]} */ ([]));
  const { frame, plain, isPlain, choose } = useEditor(props, problems);
  return (
    <div class="code-field">
      {isPlain.value && (
        <textarea
          ref={plain}
          aria-label={label}
          placeholder={hint}
          rows={10}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <div class="code" ref={frame} hidden={isPlain.value} />
      <Fault fault={refused} />
      {!refused && problems.value.length > 0 && (
        <ProblemList problems={problems.value} onChoose={choose} />
      )}
    </div>
  );
}

/**
 * @param {CodeFieldProps} props
 * @param {{ value: readonly Problem[] }} problems
 */
function useEditor(props, problems) {
  const { text, refused } = props;
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const plain = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const opened = useRef(/** @type {{ code: CodeEditor, view: EditorView } | null} */ (null));
  const isPlain = useSignal(true);
  const latest = useRef({ props, refusedText: '', isShown: false });
  latest.current.props = props;
  useEffect(() => {
    let isGone = false;
    const open = (/** @type {CodeEditor} */ code) => {
      if (isGone || !frame.current) return;
      const options = optionsOf(latest.current, problems);
      const view = code.openEditor(frame.current, latest.current.props.text.value, options);
      opened.current = { code, view };
      const isWriting = document.activeElement === plain.current;
      const anchor = plain.current?.selectionStart ?? 0;
      isPlain.value = false;
      frame.current.hidden = false;
      if (!isWriting) return;
      view.dispatch({ selection: { anchor } });
      view.focus();
    };
    // If the editor fails to load, the plain field stays.
    void import('./code_editor.js').then(open, () => {});
    return () => {
      isGone = true;
      opened.current?.view.destroy();
    };
  }, []);
  // Without a delay: a late update would undo what the user typed meanwhile.
  useSignalEffect(() => {
    const { value } = text;
    if (opened.current) opened.current.code.replaceText(opened.current.view, value);
  });
  useEffect(() => {
    latest.current.refusedText = text.value;
    if (!opened.current) return;
    const { code, view } = opened.current;
    const isNew = !latest.current.isShown;
    latest.current.isShown = true;
    const [place] = placed(refused);
    if (!place) return;
    code.showProblems(view, [place]);
    // An update while the user types must not move the cursor.
    if (isNew || !view.hasFocus) code.goTo(view, place);
  }, [refused, isPlain.value]);
  const choose = (/** @type {Problem} */ problem) => {
    if (!opened.current) return;
    opened.current.code.goTo(opened.current.view, problem);
    opened.current.view.focus();
  };
  return { frame, plain, isPlain, choose };
}

/**
 * @param {{ props: CodeFieldProps, refusedText: string }} latest
 * @param {{ value: readonly Problem[] }} problems
 * @returns {CodeOptions}
 */
function optionsOf(latest, problems) {
  const { language, label, hint, complete } = latest.props;
  return {
    ...{ language, label, hint },
    ...(complete && { complete }),
    check: async (text) => {
      const { refused, check } = latest.props;
      const isRefused = refused !== null && text === latest.refusedText;
      const found = isRefused ? placed(refused) : text.trim() === '' ? [] : await check(text);
      if (text === latest.props.text.value) problems.value = found;
      return found;
    },
    onChange: ({ doc }) => latest.props.onChange(doc.toString()),
    onApply: () => latest.props.onApply?.(),
  };
}

/**
 * @param {SaidFault | null} refused
 * @returns {Problem[]} empty if the error has no position
 */
function placed(refused) {
  return refused?.line === undefined ? [] : [problemOf(refused)];
}
