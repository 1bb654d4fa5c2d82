/** Whether the page is in a frame: what is around it could lead somebody's click. */
export function isFramed() {
  return window.top !== window;
}
