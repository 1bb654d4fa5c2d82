/** Opens a text that is pasted outside of text fields, like a dropped file. */
import { batch, signal } from '@preact/signals';

import { openFiles, openText } from './open_files.js';

/**
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 */

/** Elements that handle a paste themselves. */
const TEXT_FIELDS = [
  'textarea, [contenteditable], dialog',
  'input:not([type="range"], [type="checkbox"], [type="radio"])',
].join();

/** The text to open, kept until it is opened. */
export class PasteDesk {
  isOpen = signal(false);
  text = signal('');
  /** The error because of which it was not opened. */
  refused = signal(/** @type {PlainError | null} */ (null));

  /** @param {string} text */
  write(text) {
    if (text === this.text.value) return;
    this.text.value = text;
    this.refused.value = null;
  }

  /**
   * Opens a text. On an error the dialog shows the text for correction.
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
   * @returns {Promise<void>} resolves when the pasted text has been opened, if it can be
   */
  async take(session, event) {
    const { target, clipboardData, defaultPrevented } = event;
    const isForField = target instanceof Element && target.closest(TEXT_FIELDS) !== null;
    if (defaultPrevented || isForField || !clipboardData) return;
    const files = [...clipboardData.files];
    const text = clipboardData.getData('text/plain');
    // Some programs add a picture of the text that they copy.
    const isText = text.trim() !== '' && files.every(({ type }) => type.startsWith('image/'));
    if (!isText && files.length === 0) return;
    event.preventDefault();
    await (isText ? this.open(session, text) : openFiles(session, files));
  }
}

export const pasteDesk = new PasteDesk();
