/** @import { Role } from './roles.js' */

/** The shape of fields that a record does not name: those of maps. */
export const REST = Symbol('rest');

/**
 * For records whose unnamed fields are only compared for equality: one field that represents all of
 * them.
 */
export const DIGEST = Symbol('digest');

/**
 * The parts of a value that are read: a role, the fields of a record, or the items of a list.
 * Unnamed parts are dropped.
 * @typedef {Role | readonly [any] | { readonly [field: string]: any, readonly [REST]?: any,
 *   readonly [DIGEST]?: string }} Shape
 */
