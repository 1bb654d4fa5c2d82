import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import './live.css';
import { connectCluster } from './live_view.js';

/** @import { Signal } from '@preact/signals' */
/** @import { PlainError } from '../../worker/plain_errors.js' */
/** @import { Session } from '../session.js' */

/** @typedef {Signal<string>} Text */

/** Where `kubectl proxy` and `stowage up` serve, unless told otherwise. */
const USUAL_URL = 'http://127.0.0.1:8001';

const COMMAND = 'kubectl proxy --www=build/web --www-prefix=/playground/';

/** What follows a live cluster. @param {{ session: Session }} props */
export function ClusterTool({ session }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const url = useSignal('');
  const open = async () => {
    dialog.current?.showModal();
    if (url.value === '') url.value = (await servesApi()) ? location.origin : USUAL_URL;
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

/** Whether the API of a cluster is served where this page is. Sites of others are not asked. */
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
  const fault = useSignal(/** @type {PlainError | undefined} */ (undefined));
  const isConnecting = useSignal(false);
  /** @param {Event} event */
  const connect = async (event) => {
    event.preventDefault();
    isConnecting.value = true;
    fault.value = await connectCluster(session, {
      baseUrl: url.value.trim(),
      allowsChanges: allowsChanges.value,
      configuration: configuration.value,
    });
    isConnecting.value = false;
    if (!fault.value) close();
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
        Allow changes; without it nothing but reads is sent
      </label>
      <Configuration text={configuration} />
      <Explanation />
      {fault.value && (
        <p class="fault" role="alert">
          {faultText(fault.value, url.value)}
        </p>
      )}
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

/** That of the cluster's scheduler, which its API does not tell. @param {{ text: Text }} props */
function Configuration({ text }) {
  return (
    <details>
      <summary>Its scheduler’s configuration</summary>
      <label>
        KubeSchedulerConfiguration, YAML or JSON; kube-scheduler’s own without it
        <textarea
          rows={8}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </label>
    </details>
  );
}

/** Why not every address works. */
function Explanation() {
  const isCopied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(COMMAND);
    isCopied.value = true;
  };
  return (
    <>
      <p>
        A browser lets a page read a cluster only where both come from one address:{' '}
        <code>kubectl proxy</code> serves both, at <code>{USUAL_URL}/playground/</code>, when it is
        given the folder of this page. <code>npx stowage up</code> serves both as well, with a
        cluster of its own.
      </p>
      <p class="command">
        <code>{COMMAND}</code>{' '}
        <button type="button" onClick={copy}>
          {isCopied.value ? 'Copied' : 'Copy'}
        </button>
      </p>
    </>
  );
}

/**
 * @param {PlainError} fault
 * @param {string} url
 */
function faultText({ name, code, message, line }, url) {
  if (line !== undefined) return `line ${line}: ${message}`;
  if (name !== 'ConnectionError' || code !== 'Network') return message;
  const isElsewhere = !URL.canParse(url) || new URL(url).origin !== location.origin;
  const why = isElsewhere
    ? 'nobody serves there, or the browser keeps the answer from a page of another address'
    : 'nobody serves there any more';
  return `${message}: ${why}.`;
}
