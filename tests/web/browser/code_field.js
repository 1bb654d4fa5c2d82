/** What a person does in a CodeMirror of a page, and sees there. */

/** @import { Locator, Page } from 'playwright-core' */

/**
 * Pastes at an element, as Ctrl-V does: a text, or files.
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
 * Pastes in the place of all that is there, once it has been read.
 * @param {Page} page
 * @param {string} text
 */
export async function writeCode(page, text) {
  const content = page.locator('.cm-content:not([aria-busy])');
  await content.press('ControlOrMeta+a');
  if (text === '') await content.press('Delete');
  else await pasteAt(content, { text });
}

/** All of the text, also what is not on the screen. @param {Page} page */
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
 * Waits until the text matches. A line that is not on the screen is not in the page, so that no
 * locator can wait for it.
 * @param {Page} page
 * @param {RegExp} pattern
 */
export async function untilCode(page, pattern) {
  while (!pattern.test(await writtenCode(page))) await page.waitForTimeout(20);
}

/** The number of the line that the first marker stands at. @param {Page} page */
export async function markedLine(page) {
  const marker = page.locator('.cm-lint-marker-error').first();
  for (;;) {
    const line = await marker.evaluate(lineBeside);
    if (line !== null) return line;
  }
}

/**
 * Runs in the page, at one moment of it.
 * @param {Element} marker
 * @returns {number | null} null where another marker has come in its place
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
