// Loads the generated glue of the WebAssembly module. It exists only after a build, so it is
// imported on demand, and its types are in glue.d.ts. wasm/toolchain/bundle.js inlines it.
export const loadGlue = async () => (await import('../../dist/stowage.js')).default;
