/**
 * Whether the page is in a frame, in which case the surrounding page could trick the user into
 * clicks.
 */
export function isFramed() {
  return window.top !== window;
}
