/** Long enough for a browser that asks where to: milliseconds. */
const KEPT = 60_000;

/**
 * Hands a file to the person.
 * @param {Blob} file
 * @param {string} name
 */
export function download(file, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}
