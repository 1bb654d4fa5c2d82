import { CodeField } from './code_field.jsx';

/** @import { Session } from '../session.js' */
/** @import { CodeFieldProps } from './code_field.jsx' */

/**
 * A text in YAML or JSON to be written, of which the worker says what is wrong and what may follow.
 * @param {Omit<CodeFieldProps, 'language' | 'check' | 'complete'> & { session: Session, kind:
 *   'configuration' | 'file' }} props
 */
export function CheckedText({ session, kind, ...others }) {
  return (
    <CodeField
      language="yaml"
      check={(text) => session.query((playground) => playground.check({ kind }, text))}
      complete={(text, offset) =>
        session.query((playground) => playground.complete(kind, text, offset))
      }
      {...others}
    />
  );
}
