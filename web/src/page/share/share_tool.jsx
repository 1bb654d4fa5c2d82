import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { LINK_BYTES_SAFE } from '../../scenario/link.js';
import { copyText } from '../copy_button.jsx';
import { linkTo } from './sharing.js';
import './tools.css';

/** @import { Session } from '../session.js' */

const COPIED = 'Copied.';
const NOT_COPIED = 'The browser did not allow copying: copy the link from the field.';

/**
 * Copies a link to the present state, and puts it into the page's address.
 * @param {{ session: Session }} props
 */
export function ShareTool({ session }) {
  const link = useSignal('');
  const said = useSignal('');
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));

  /** @param {ToggleEvent} event */
  const toggled = async ({ newState }) => {
    // The message about the previous link does not apply to this one.
    link.value = '';
    said.value = newState === 'open' ? 'Creating the link.' : '';
    if (newState !== 'open') return;
    const hash = await linkTo(session);
    if (hash === null) {
      said.value = 'There is no link: see the message above the cluster.';
      return;
    }
    if (hash !== location.hash) history.pushState(null, '', hash);
    link.value = location.href;
    const isCopied = await copyText(location.href);
    said.value = `${isCopied ? COPIED : NOT_COPIED} ${sizeText(hash)}`;
  };
  // Selects the link, ready to be copied by hand.
  useEffect(() => {
    if (link.value !== '') field.current?.select();
  }, [link.value]);

  return (
    <div class="tool">
      <button type="button" popovertarget="share">
        Share
      </button>
      <div id="share" popover="auto" role="dialog" aria-label="Share" onToggle={toggled}>
        <label>
          Link to the scenario, its actions, and the current position
          <input ref={field} type="text" readonly value={link} />
        </label>
        <p role="status">{said}</p>
      </div>
    </div>
  );
}

/** @param {string} hash */
function sizeText(hash) {
  const size = `${(hash.length / 1024).toFixed(1)} KB`;
  if (hash.length <= LINK_BYTES_SAFE) return `It takes ${size}.`;
  const most = `${LINK_BYTES_SAFE / 1024} KB`;
  const advice = 'Export the scenario as a file instead.';
  return `It takes ${size}: some programs truncate links beyond ${most}. ${advice}`;
}
