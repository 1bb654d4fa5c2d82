/** JavaScript in the editor: its colours, and its indentation. */
import { StreamLanguage } from '@codemirror/language';
import { javascript } from '@codemirror/legacy-modes/mode/javascript';

const PUNCTUATION = /^[()[\]{},;]$/;

/** CodeMirror's mode gives punctuation no style. */
export const javascriptMode = StreamLanguage.define({
  ...javascript,
  token: (stream, state) => {
    const style = javascript.token(stream, state);
    return style ?? (PUNCTUATION.test(stream.current()) ? 'punctuation' : null);
  },
});
