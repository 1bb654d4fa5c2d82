/** Types into the page's CodeMirror and reads it as a user would. */

/** @import { Locator, Page } from 'playwright-core' */

/**
 * Pastes into an element as Ctrl-V does: a text, or files.
 * @param {Locator} locator
 * @param {{ text?: string, files?: [string, string][] }} pasted `files`: name and text of each
 */
export async function pasteAt(locator, pasted) {
  await locator.evaluate((element, { text, files = [] }) => {
    const clipboardData = new DataTransfer();
    if (text !== undefined) clipboardData.setData('text/plain', text);
    for (const [name, content] of files) clipboardData.items.add(new File([content], name));
    const init = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent('paste', init));
  }, pasted);
}

/**
 * Replaces the whole text by pasting, once the text has been read.
 * @param {Page} page
 * @param {string} text
 */
export async function writeCode(page, text) {
  const content = page.locator('.cm-content:not([aria-busy])');
  await content.press('ControlOrMeta+a');
  if (text === '') await content.press('Delete');
  else await pasteAt(content, { text });
}

/** The whole text, including lines that are not on the screen. @param {Page} page */
export async function writtenCode(page) {
  const content = page.locator('.cm-content:not([aria-busy])');
  await content.press('ControlOrMeta+a');
  return content.evaluate((element) => {
    const clipboardData = new DataTransfer();
    const init = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent('copy', init));
    return clipboardData.getData('text/plain');
  });
}

/**
 * Waits until the text matches. CodeMirror renders only visible lines, so a locator cannot wait for
 * the others.
 * @param {Page} page
 * @param {RegExp} pattern
 */
export async function untilCode(page, pattern) {
  while (!pattern.test(await writtenCode(page))) await page.waitForTimeout(20);
}

/** The number of the line with the first marker. @param {Page} page */
export async function markedLine(page) {
  const marker = page.locator('.cm-lint-marker-error').first();
  for (;;) {
    const line = await marker.evaluate(lineBeside);
    if (line !== null) return line;
  }
}

/**
 * Runs in the page, without interruption.
 * @param {Element} marker
 * @returns {number | null} null if another marker has replaced it
 */
function lineBeside(marker) {
  if (!marker.isConnected) return null;
  const { y } = marker.getBoundingClientRect();
  const numbers = [...document.querySelectorAll('.cm-lineNumbers .cm-gutterElement')];
  const beside = numbers.find((number) => {
    const { top, bottom } = number.getBoundingClientRect();
    return y >= top && y < bottom;
  });
  return Number(beside?.textContent);
}
