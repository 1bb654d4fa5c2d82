/** Base64, as in the JSON of bytes. */

const PIECE = 4096;

/** In pieces, because the number of arguments of a call is limited. @param {Uint8Array} bytes */
export function base64(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary);
}
