/**
 * Returns the message of a decision without the part about preemption.
 * @param {{ message?: string, preemption?: { message?: string } }} decision
 */
export function filterMessage({ message = '', preemption }) {
  const tail = preemption?.message ? ` ${preemption.message}` : '';
  return tail && message.endsWith(tail) ? message.slice(0, -tail.length) : message;
}
