/** YAML in the editor: its colours, and its indentation. */
import { StreamLanguage, indentService } from '@codemirror/language';
import { yaml } from '@codemirror/legacy-modes/mode/yaml';

/** Spaces, and dashes of list items: the next key of an item stands below its first one. */
const BEFORE_KEY = /^\s*(?:- +)*/;

/** At the end of a line whose content stands deeper on the next lines. */
const OPENS_BLOCK = /(?:: +[|>][-+\d]*|[[{])\s*$/;

/** CodeMirror's mode has no name for keys, and no indentation. */
export const yamlMode = [
  StreamLanguage.define({
    ...yaml,
    token: (stream, state) => {
      const style = yaml.token(stream, state);
      if (style === 'atom') return 'propertyName';
      return style === 'def' ? 'meta' : style;
    },
  }),
  indentService.of((context, position) => {
    const { text } = context.lineAt(position, -1);
    const [before] = BEFORE_KEY.exec(text) ?? [''];
    return before.length + (OPENS_BLOCK.test(text) ? context.unit : 0);
  }),
];
