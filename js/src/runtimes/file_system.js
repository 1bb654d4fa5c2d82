import { createRequire } from 'node:module';

/**
 * Node's file system. An import of `node:fs` would load its streams: 2 ms more until a scheduler is
 * ready. Node has getBuiltinModule since 20.16; webpack replaces `createRequire`.
 * @returns {typeof import('node:fs')}
 */
export const fileSystem = () =>
  process.getBuiltinModule?.('node:fs') ?? createRequire(process.execPath)('node:fs');
