import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Copies a text and reports the result. @param {{ text: string, words?: string }} props */
export function CopyButton({ text, words = 'Copy' }) {
  const said = useSignal('');
  useEffect(() => {
    said.value = '';
  }, [text]);
  const copy = async () => {
    said.value = (await copyText(text)) ? 'Copied' : 'The browser did not allow copying';
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {words}
      </button>{' '}
      <span role="status">{said}</span>
    </>
  );
}

/** @param {string} text @returns {Promise<boolean>} false if the browser refuses */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
