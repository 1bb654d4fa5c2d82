// What an import of the module's file gives, where it gives the compiled module.
declare module '*.wasm' {
  const compiled: WebAssembly.Module;
  export default compiled;
}
declare module '*.wasm?module' {
  const compiled: WebAssembly.Module;
  export default compiled;
}
