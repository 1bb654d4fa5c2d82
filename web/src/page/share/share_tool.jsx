import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { LINK_BYTES_SAFE } from '../../scenario/link.js';
import { linkTo } from './sharing.js';
import './tools.css';

/** @import { Session } from '../session.js' */

/**
 * A link to what is seen now: copied, and in the address of the page.
 * @param {{ session: Session }} props
 */
export function ShareTool({ session }) {
  const link = useSignal('');
  const said = useSignal('');
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));

  /** @param {ToggleEvent} event */
  const toggled = async ({ newState }) => {
    if (newState !== 'open') return;
    link.value = '';
    said.value = 'The link is being made.';
    const hash = await linkTo(session);
    if (hash === null) {
      said.value = 'There is no link: see what is said above the cluster.';
      return;
    }
    if (hash !== location.hash) history.pushState(null, '', hash);
    link.value = location.href;
    said.value = `${await copied(location.href)} ${sizeText(hash)}`;
  };
  // Whoever wants to copy it by hand finds it selected.
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
          Link to the scenario, what was done in it, and where it stands
          <input ref={field} type="text" readonly value={link} />
        </label>
        <p role="status">{said}</p>
      </div>
    </div>
  );
}

/** @param {string} link @returns {Promise<string>} a sentence */
async function copied(link) {
  try {
    await navigator.clipboard.writeText(link);
    return 'Copied.';
  } catch {
    return 'This browser does not let the page copy: copy it from the field.';
  }
}

/** @param {string} hash */
function sizeText(hash) {
  const size = `${(hash.length / 1024).toFixed(1)} KB`;
  if (hash.length <= LINK_BYTES_SAFE) return `It takes ${size}.`;
  const most = `${LINK_BYTES_SAFE / 1024} KB`;
  const advice = 'Better export the scenario as a file.';
  return `It takes ${size}: some programs cut links beyond ${most}. ${advice}`;
}
