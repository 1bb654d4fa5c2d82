/**
 * Returns an address without its trailing slashes. A regular expression that ends in `$` would take
 * quadratic time: it would search for the end from every slash.
 * @param {string} url
 */
export function withoutLastSlashes(url) {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
