/**
 * Scripts of commands with what they print, as one sees them on a terminal. The files in `kubectl/`
 * are such scripts; their manifests stand beside them. A script is lines:
 *   `== title`   of the whole
 *   `# text`     why the next command is there, where that is not plain
 *   `$ command`  a line of a shell. `$~` it takes a while to be so: it is asked again until then.
 *                `$|` it would go on for ever: it is ended when it has printed what it should
 *   `& command`  what happens while the one before, a watch, goes on
 *   `? code`     the exit code, where it is not 0
 *   `! text`     a line on stderr
 *   `text`       a line on stdout; with holes, see `printed_text.js`
 */

/**
 * @typedef {object} Step
 * @property {string} command
 * @property {string[]} prints lines
 * @property {string[]} says lines on stderr
 * @property {number} code
 * @property {boolean} isAwaited
 * @property {boolean} isCutOff
 * @property {string} meanwhile
 */

/** @typedef {{ title: string, steps: Step[] }} Script */

/**
 * @param {string} text
 * @returns {Script}
 * @throws {SyntaxError} with the number of the line
 */
export function parseScript(text) {
  const script = { title: '', steps: /** @type {Step[]} */ ([]) };
  for (const [index, line] of text.split('\n').entries()) {
    const [, sign, rest] = /^(==|#|\$[~|]?|&|\?|!) ?(.*)$/.exec(line) ?? ['', '', line];
    const step = script.steps[script.steps.length - 1];
    if (sign === '==') script.title = rest;
    else if (sign.startsWith('$')) script.steps.push(newStep(sign, rest));
    else if (step) addTo(step, sign, rest);
    else if (sign !== '#' && line !== '') throw new SyntaxError(`line ${index + 1}: ${line}`);
  }
  return script;
}

/**
 * @param {string} sign
 * @param {string} command
 * @returns {Step}
 */
function newStep(sign, command) {
  const [isAwaited, isCutOff] = [sign === '$~', sign === '$|'];
  return { command, prints: [], says: [], code: 0, isAwaited, isCutOff, meanwhile: '' };
}

/**
 * @param {Step} step changed
 * @param {string} sign
 * @param {string} text
 */
function addTo(step, sign, text) {
  if (sign === '&') step.meanwhile = text;
  else if (sign === '?') step.code = Number(text);
  else if (sign === '!') step.says.push(text);
  else if (sign === '') step.prints.push(text);
}
