/** The module's file as its import gives it: compiled, or as its location. Pass it as `wasm`. */
declare const wasm: WebAssembly.Module | string;
export default wasm;
