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

/** Pastes in the place of all that is there. @param {Page} page @param {string} text */
export async function writeCode(page, text) {
  const content = page.locator('.cm-content');
  await content.press('ControlOrMeta+a');
  if (text === '') await content.press('Delete');
  else await pasteAt(content, { text });
}

/** All of the text, also what is not on the screen. @param {Page} page */
export async function writtenCode(page) {
  const content = page.locator('.cm-content');
  await content.press('ControlOrMeta+a');
  return content.evaluate((element) => {
    const clipboardData = new DataTransfer();
    const init = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent('copy', init));
    return clipboardData.getData('text/plain');
  });
}

/** The number of the line that the first marker stands at. @param {Page} page */
export async function markedLine(page) {
  const marker = page.locator('.cm-lint-marker-error').first();
  await marker.waitFor();
  const { y } = /** @type {{ y: number }} */ (await marker.boundingBox());
  const numbers = page.locator('.cm-lineNumbers .cm-gutterElement');
  for (const number of await numbers.all()) {
    const box = await number.boundingBox();
    if (box && box.height > 0 && y >= box.y && y < box.y + box.height)
      return Number(await number.innerText());
  }
  return undefined;
}
