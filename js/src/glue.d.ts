import type { EngineSurface } from './types.js';

/** Starts one instance of the engine; `instantiateWasm` supplies the compiled module. */
export function createModule(options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  print?(line: string): void;
  printErr?(line: string): void;
}): Promise<EngineSurface>;
