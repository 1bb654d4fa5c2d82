/** Transactions: changes of a scheduler that are kept or taken back as a whole. */
import { StowageError } from '../kubernetes/errors.js';
import { isPromise } from '../kubernetes/values.js';

/** @import { Scheduler } from './scheduler.js' */

/**
 * A scheduler as it is changed by a transaction. `commit` keeps the changes and ends the
 * transaction; `revert` takes them back and ends it.
 * @typedef {Scheduler & { commit(): void, revert(): void }} Transaction
 */

/**
 * Calls `change` with a transaction, and takes back what it has not committed when that is over.
 * @template T
 * @param {Transaction} transaction
 * @param {(transaction: Transaction) => T} change
 * @returns {T}
 */
export function withTransaction(transaction, change) {
  let result;
  try {
    result = change(transaction);
  } catch (cause) {
    transaction.dispose();
    throw cause;
  }
  if (!isPromise(result)) {
    transaction.dispose();
    return result;
  }
  return /** @type {any} */ (Promise.resolve(result).finally(() => transaction.dispose()));
}

/**
 * A transaction on a fork, whose changes the original cannot take over.
 * @param {Scheduler} fork
 * @param {string} reason why the original cannot be changed in place
 * @returns {Transaction}
 */
export function onFork(fork, reason) {
  const commit = () => {
    throw new StowageError('CannotCommit', `a transaction cannot be committed ${reason}`);
  };
  return Object.assign(fork, { commit, revert: () => fork.dispose() });
}

export function transactionOpen() {
  return new StowageError(
    'TransactionOpen',
    'a transaction of this scheduler is open: call the transaction until it has ended',
  );
}
