/** CodeMirror with JavaScript. It is large, and loaded when somebody edits. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching } from '@codemirror/language';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';

import { codeTheme } from '../editor/code_theme.js';

/**
 * @param {HTMLElement} parent
 * @param {{ label: string, text: string, onType: (text: string) => void }} settings
 */
export function openEditor(parent, { label, text, onType }) {
  return new EditorView({
    parent,
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      bracketMatching(),
      javascript(),
      codeTheme,
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onType(state.doc.toString());
      }),
    ],
  });
}
