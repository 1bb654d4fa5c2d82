// Goal: when the engine's stack overflows, the call ends with an EngineError and nothing is
// overwritten. Method: the linker put the stack below the data, so that an overflow leaves the
// memory; a copy of the module whose stack is smaller overflows where the module itself does not.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { EngineError, loadEngine } from '../../js/src/index.js';
import { makeNode, makePod } from '../js/support/objects.js';
import { modulePath } from '../js/support/real_engine.js';
import { wasmLayout, withStackTop } from '../support/wasm_layout.js';

const bytes = await readFile(modulePath);
