/** The columns of tables, as metav1.TableColumnDefinition has them. */

/**
 * @typedef {object} Column
 * @property {string} name kubectl prints it in capitals
 * @property {'string' | 'integer' | 'boolean' | 'date'} type
 * @property {string} format `name` marks the object's name
 * @property {string} description
 * @property {number} priority 1: only with `-o wide`
 */

/**
 * The table of a kind.
 * @typedef {object} Printer
 * @property {readonly Column[]} columns
 * @property {(object: any, now: number) => unknown[]} cells one per column; `now` in milliseconds
 * @property {(object: any) => object[]} [conditions] of the row
 */

/**
 * @param {string} name
 * @param {string} description
 * @returns {Column}
 */
export function text(name, description) {
  return { name, type: 'string', format: '', description, priority: 0 };
}

/**
 * @param {string} name
 * @param {string} description
 * @returns {Column}
 */
export function count(name, description) {
  return { ...text(name, description), type: 'integer' };
}

/**
 * @param {string} name
 * @param {string} description
 * @returns {Column}
 */
export function flag(name, description) {
  return { ...text(name, description), type: 'boolean' };
}

/**
 * A column that only `-o wide` shows.
 * @param {Column} column
 * @returns {Column}
 */
export function wide(column) {
  return { ...column, priority: 1 };
}

export const NAME = Object.freeze({ ...text('Name', 'Name of the object.'), format: 'name' });

export const AGE = Object.freeze(text('Age', 'Time since the object was created.'));

/** The columns of workloads' containers. */
export const CONTAINERS = Object.freeze([
  wide(text('Containers', 'Names of the containers in the template.')),
  wide(text('Images', 'Images of the containers in the template.')),
]);

export const SELECTOR = Object.freeze(wide(text('Selector', 'Which pods belong to the object.')));
