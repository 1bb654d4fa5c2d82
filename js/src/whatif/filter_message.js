/**
 * Returns the message of a decision without the part about preemption.
 * @param {{ message?: string, preemption?: { message?: string } }} decision
 */
export function filterMessage({ message = '', preemption }) {
  const tail = preemption?.message ? ` ${preemption.message}` : '';
  return tail && message.endsWith(tail) ? message.slice(0, -tail.length) : message;
}

/**
 * Returns why a pod gets no node. The evaluation of a gated pod with `allPlugins` has no message.
 * @param {{ message?: string, plugin?: string }} evaluation without a node
 */
export function waitingMessage({ message, plugin }) {
  return message ?? `held back by ${plugin}`;
}
