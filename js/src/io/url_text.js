/**
 * An address without the slashes at its end. An expression that ends in `$` would look for the end
 * from every slash anew.
 * @param {string} url
 */
export function withoutLastSlashes(url) {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
