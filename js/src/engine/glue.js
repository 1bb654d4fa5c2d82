// The generated glue of the WebAssembly module. It exists only after a build, so it is asked for
// when it is needed, and its types are in glue.d.ts. wasm/toolchain/bundle.js puts it inside.
export const loadGlue = async () => (await import('../../dist/stowage.js')).default;
