/**
 * The time in milliseconds after which the URL is revoked; long enough for a browser that asks
 * where to save.
 */
const KEPT = 60_000;

/**
 * Downloads a text as a file.
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
