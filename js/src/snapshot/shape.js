/** @import { Role } from './roles.js' */

/** The shape of fields that a record names no others for: those of maps. */
export const REST = Symbol('rest');

/**
 * Where the fields that a record does not name are only asked whether they equal another's: the
 * field that stands for all of them.
 */
export const DIGEST = Symbol('digest');

/**
 * What is read of a value: a role, the fields of a record, or the items of a list. What is not
 * named is not read.
 * @typedef {Role | readonly [any] | { readonly [field: string]: any, readonly [REST]?: any,
 *   readonly [DIGEST]?: string }} Shape
 */
