// The generated glue of the WebAssembly module. It exists only after a build, so its types are in
// glue.d.ts.
export { default as createModule } from '../dist/stowage.js';
