import type { EngineSurface } from './types.js';

/** Starts one instance of the engine; `instantiateWasm` supplies the compiled module. */
type CreateModule = (options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  /** Loads the second module; returns why that is impossible, empty if it is there. */
  loadDeferred(): string;
  print?(line: string): void;
  printErr?(line: string): void;
}) => Promise<EngineSurface>;

/** Rejected where nothing was built yet. */
export function loadGlue(): Promise<CreateModule>;
