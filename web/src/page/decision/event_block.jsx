import { CopyButton } from '../copy_button.jsx';
import { bindingOf, eventOf } from './event_text.js';

/** @import { AttemptEvaluation } from '../../worker/attempt_evaluation.js' */
/** @import { Session } from '../session.js' */

/**
 * The literal event of an attempt. An evaluation of the present has none.
 * @param {{ session: Session, evaluation: AttemptEvaluation }} props
 */
export function EventBlock({ session, evaluation }) {
  const { attempt } = session.selectedPod.value ?? {};
  const { rows, position } = session;
  const happened = rows.value.filter((row) => row.position <= position.value);
  const binding = attempt === undefined ? undefined : bindingOf(happened, attempt);
  const event = attempt === undefined ? null : eventOf(evaluation, binding);
  const message = event?.message ?? binding?.failure?.message ?? evaluation.message ?? '';
  if (message === '') return null;
  return (
    <div class="event">
      <p class="event-head">
        {event ? `Event ${event.type} ${event.reason}` : 'Message'} <CopyButton text={message} />
      </p>
      <p class="message">{message}</p>
    </div>
  );
}
