/** The same, with the line that the error names. */
import * as stowage from 'stowage';
import deferredWasm from 'stowage/stowage.deferred.wasm';
import wasm from 'stowage/stowage.wasm';
import { contract } from './contract.js';
import { log } from './log.js';
import { withModule } from './with_module.js';

contract(withModule(stowage, { wasm, deferredWasm }), log).then((report) =>
  console.log(JSON.stringify(report)),
);
