import { CopyButton } from '../copy_button.jsx';
import { eventOf } from './event_text.js';

/** @import { Evaluation } from '../../../../js/src/types.js' */

/** The event of the decision, word by word. @param {{ evaluation: Evaluation }} props */
export function EventBlock({ evaluation }) {
  const event = eventOf(evaluation);
  const message = event?.message ?? evaluation.message ?? '';
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
