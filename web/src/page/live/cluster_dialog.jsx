import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { CopyButton } from '../copy_button.jsx';
import { CheckedText } from '../editor/checked_text.jsx';
import { Fault } from '../fault.jsx';
import './live.css';
import { connectCluster } from './live_view.js';

/** @import { Signal } from '@preact/signals' */
/** @import { PlainError } from '../../worker/plain_errors.js' */
/** @import { Session } from '../session.js' */

/** @typedef {Signal<string>} Text */

/** The default addresses of `kubectl proxy` and `stowage up`. */
const USUAL_URL = 'http://127.0.0.1:8001';

const COMMAND = 'kubectl proxy --www=build/web --www-prefix=/playground/';

/** The dialog that connects to a live cluster. @param {{ session: Session }} props */
export function ClusterTool({ session }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const url = useSignal('');
  const open = async () => {
    dialog.current?.showModal();
    if (url.value !== '') return;
    const usual = (await servesApi()) ? location.origin : USUAL_URL;
    // Keeps an address that the user has typed meanwhile.
    if (url.value === '') url.value = usual;
  };
  return (
    <>
      <button type="button" onClick={open}>
        Connect…
      </button>
      <dialog ref={dialog} class="connect" aria-labelledby="connect-title">
        <ConnectForm session={session} url={url} close={() => dialog.current?.close()} />
      </dialog>
    </>
  );
}

/** Whether the page's own server serves a cluster's API. The page asks no other server. */
async function servesApi() {
  const isOfCluster = document.querySelector('meta[name="stowage-cluster"]') !== null;
  if (!isOfCluster && !/^(localhost|127\..*|\[::1\])$/.test(location.hostname)) return false;
  try {
    const answer = await fetch('/version', { headers: { Accept: 'application/json' } });
    return typeof (await answer.json()).gitVersion === 'string';
  } catch {
    return false;
  }
}

/** @param {{ session: Session, url: Text, close: () => void }} props */
function ConnectForm({ session, url, close }) {
  const allowsChanges = useSignal(false);
  const configuration = useSignal('');
  const fault = useSignal(/** @type {PlainError | null} */ (null));
  const isOfText = fault.value?.line !== undefined;
  const isConnecting = useSignal(false);
  /** @param {Event} event */
  const connect = async (event) => {
    event.preventDefault();
    isConnecting.value = true;
    const refused = await connectCluster(session, {
      baseUrl: url.value.trim(),
      allowsChanges: allowsChanges.value,
      configuration: configuration.value,
    });
    fault.value = refused ?? null;
    isConnecting.value = false;
    if (!refused) close();
  };
  return (
    <form onSubmit={connect}>
      <h2 id="connect-title">Connect to a live cluster</h2>
      <label>
        Address of its API
        <input
          type="url"
          required
          value={url}
          onInput={({ currentTarget }) => {
            url.value = currentTarget.value;
          }}
        />
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={allowsChanges}
          onChange={({ currentTarget }) => {
            allowsChanges.value = currentTarget.checked;
          }}
        />{' '}
        Allow changes; otherwise the page only reads
      </label>
      <Configuration
        session={session}
        text={configuration}
        refused={isOfText ? fault.value : null}
        onChange={(text) => {
          if (text === configuration.value) return;
          configuration.value = text;
          if (isOfText) fault.value = null;
        }}
      />
      <Explanation />
      {!isOfText && <Fault fault={said(fault.value, url.value)} />}
      <div class="buttons">
        <button type="submit" disabled={isConnecting}>
          {isConnecting.value ? 'Connecting…' : 'Connect'}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/**
 * The configuration of the cluster's scheduler, which the API does not serve.
 * @param {{ session: Session, text: Text, refused: PlainError | null, onChange: (text: string) =>
 *   void }} props
 */
function Configuration({ session, text, refused, onChange }) {
  const isOpen = useSignal(false);
  useEffect(() => {
    if (refused) isOpen.value = true;
  }, [refused]);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>Its scheduler’s configuration</summary>
      {isOpen.value && (
        <CheckedText
          session={session}
          kind="configuration"
          label="KubeSchedulerConfiguration of the cluster’s scheduler"
          hint="YAML or JSON; default: that of kube-scheduler"
          text={text}
          refused={refused}
          onChange={onChange}
        />
      )}
    </details>
  );
}

/** Explains why some addresses do not work. */
function Explanation() {
  return (
    <>
      <p>
        A browser lets a page read a cluster only if both have the same address:{' '}
        <code>kubectl proxy</code> with the folder of this page serves both, at{' '}
        <code>{USUAL_URL}/playground/</code>. <code>npx stowage up</code> also serves both, with an
        in-memory cluster.
      </p>
      <p class="command">
        <code>{COMMAND}</code>{' '}
        <span>
          <CopyButton text={COMMAND} />
        </span>
      </p>
    </>
  );
}

/**
 * Adds the likely cause, which the browser does not report.
 * @param {PlainError | null} fault
 * @param {string} url
 * @returns {PlainError | null}
 */
function said(fault, url) {
  if (fault?.name !== 'ConnectionError' || fault.code !== 'Network') return fault;
  const isElsewhere = !URL.canParse(url) || new URL(url).origin !== location.origin;
  const why = isElsewhere
    ? 'no server answers there, or the browser blocks the answer for a page of another address'
    : 'no server answers there any more';
  return { ...fault, message: `${fault.message}: ${why}.` };
}
