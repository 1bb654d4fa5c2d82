/** The size in bytes from which the memory grows in large steps. */
const LARGE = 32 << 20;

const PAGE = 64 << 10;

/**
 * Makes the memory of a module grow by at least `step` bytes once it is large. V8 collects all
 * garbage at nearly each growth by tens of megabytes, which takes half a second if the heap holds
 * a large cluster. Pages that the engine has not used yet take no physical memory.
 * @param {WebAssembly.Instance} instance
 * @param {number} step 0: as much as the engine asks for
 */
export function growInSteps({ exports }, step) {
  const memory = Object.values(exports).find(isMemory);
  if (!memory || step === 0) return;
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength < LARGE) return grow(pages);
    try {
      return grow(Math.max(pages, step / PAGE));
    } catch {
      return grow(pages);
    }
  };
}

/**
 * Checks the tag instead of the class, as the module may come from another context.
 * @param {unknown} value
 * @returns {value is WebAssembly.Memory}
 */
function isMemory(value) {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Memory]';
}
