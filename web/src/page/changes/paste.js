/** What is pasted outside of a text field is opened, as a file that is dropped. */
import { batch, signal } from '@preact/signals';

import { openFiles, openText } from './open_files.js';

/**
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 */

/** Where a paste is for the field. */
const TEXT_FIELDS = [
  'textarea, [contenteditable], dialog',
  'input:not([type="range"], [type="checkbox"], [type="radio"])',
].join();

/** A text to be opened, kept until it is. */
export class PasteDesk {
  isOpen = signal(false);
  text = signal('');
  /** Why it was not opened. */
  refused = signal(/** @type {PlainError | null} */ (null));

  /** @param {string} text */
  write(text) {
    if (text === this.text.value) return;
    this.text.value = text;
    this.refused.value = null;
  }

  /**
   * Opens a text. One that cannot be opened is there to be mended.
   * @param {Session} session
   * @param {string} text
   */
  async open(session, text) {
    const refused = await openText(session, text);
    batch(() => {
      this.refused.value = refused;
      if (refused) this.text.value = text;
      else if (this.text.value === text) this.text.value = '';
      this.isOpen.value = refused !== null;
    });
  }

  /**
   * @param {Session} session
   * @param {ClipboardEvent} event
   * @returns {Promise<void>} when what is pasted is opened, if it is
   */
  async take(session, event) {
    const { target, clipboardData, defaultPrevented } = event;
    const isForField = target instanceof Element && target.closest(TEXT_FIELDS) !== null;
    if (defaultPrevented || isForField || !clipboardData) return;
    const files = [...clipboardData.files];
    const text = clipboardData.getData('text/plain');
    // Programs that copy a text may add a picture of it.
    const isText = text.trim() !== '' && files.every(({ type }) => type.startsWith('image/'));
    if (!isText && files.length === 0) return;
    event.preventDefault();
    await (isText ? this.open(session, text) : openFiles(session, files));
  }
}

export const pasteDesk = new PasteDesk();
