import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { eventOf } from './event_text.js';

/** @import { Evaluation } from '../../../../js/src/types.js' */

/** The event of the decision, word by word. @param {{ evaluation: Evaluation }} props */
export function EventBlock({ evaluation }) {
  const said = useSignal('');
  const event = eventOf(evaluation);
  const message = event?.message ?? evaluation.message ?? '';
  useEffect(() => {
    said.value = '';
  }, [message]);
  const copy = () =>
    navigator.clipboard.writeText(message).then(
      () => {
        said.value = 'Copied';
      },
      () => {
        said.value = 'The browser does not let it be copied';
      },
    );
  if (message === '') return null;
  return (
    <div class="event">
      <p class="event-head">
        {event ? `Event ${event.type} ${event.reason}` : 'Message'}{' '}
        <button type="button" onClick={copy}>
          Copy
        </button>{' '}
        <span role="status">{said}</span>
      </p>
      <p class="message">{message}</p>
    </div>
  );
}
