/** The module's file as its import gives it: compiled, or as its location. Pass it as `wasm`. */
declare const wasm:
  | (typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
      ? Module
      : object)
  | string;
export default wasm;
