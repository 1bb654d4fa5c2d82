import { CodeField } from './code_field.jsx';

/** @import { Session } from '../session.js' */
/** @import { CodeFieldProps } from './code_field.jsx' */

/**
 * A text field for YAML or JSON. The worker finds its problems and completions.
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
