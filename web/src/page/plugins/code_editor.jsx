import { useEffect, useRef } from 'preact/hooks';

/** @import { EditorView } from '@codemirror/view' */

/**
 * A text in JavaScript to be edited.
 * @param {{ label: string, text: string, onChange: (text: string) => void }} props
 */
export function CodeEditor({ label, text, onChange }) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const view = useRef(/** @type {EditorView | null} */ (null));
  const latest = useRef({ text, onChange });
  latest.current = { text, onChange };
  useEffect(() => {
    let isGone = false;
    void import('./code_mirror.js').then(({ openEditor }) => {
      if (isGone || !frame.current) return;
      const onType = (/** @type {string} */ typed) => latest.current.onChange(typed);
      view.current = openEditor(frame.current, { label, text: latest.current.text, onType });
    });
    return () => {
      isGone = true;
      view.current?.destroy();
    };
  }, [label]);
  useEffect(() => {
    const shown = view.current?.state.doc.toString();
    if (shown === undefined || shown === text) return;
    view.current?.dispatch({ changes: { from: 0, to: shown.length, insert: text } });
  }, [text]);
  return <div class="code-editor" ref={frame} />;
}
