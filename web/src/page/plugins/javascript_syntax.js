/** Finds syntax errors in JavaScript with the browser's own parser. */

/** @typedef {{ line: number, column: number, message: string }} SyntaxProblem from 1 */

/** No module has this name. */
const NO_MODULE = 'the text is parsed only';

/**
 * Precedes the text, on its first line. A browser parses a module, then resolves all of its imports
 * before it loads any. As this one cannot be resolved, the browser loads and runs nothing; `throw`
 * is a second lock.
 */
const HEAD = `import"${NO_MODULE}";throw 0;`;

/**
 * The text becomes a module of the page, because an error event of a worker has no position if the
 * worker is a module.
 * @param {string} text of an ES module
 * @returns {Promise<SyntaxProblem | undefined>} the first error
 */
export async function syntaxErrorIn(text) {
  const url = URL.createObjectURL(new Blob([HEAD, text], { type: 'text/javascript' }));
  const script = Object.assign(document.createElement('script'), { type: 'module', src: url });
  /** @type {SyntaxProblem | undefined} */
  let found;
  const take = (/** @type {ErrorEvent} */ event) => {
    const { filename, lineno: line, colno, message, error } = event;
    // That an import cannot be resolved is reported as an error of the page's own file.
    if (filename !== url && !message.includes(NO_MODULE)) return;
    // Otherwise the browser would log it.
    event.preventDefault();
    if (!(error instanceof SyntaxError)) return;
    const column = line === 1 ? colno - HEAD.length : colno;
    found = { line, column, message: String(error) };
  };
  window.addEventListener('error', take);
  try {
    await new Promise((resolve) => {
      script.onload = resolve;
      script.onerror = resolve;
      document.head.append(script);
    });
  } finally {
    window.removeEventListener('error', take);
    script.remove();
    URL.revokeObjectURL(url);
  }
  return found;
}
