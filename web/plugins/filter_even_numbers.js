import { unschedulable } from 'stowage';

/** Only nodes whose number is even. @type {import('stowage').Plugin} */
export default {
  name: 'EvenNumbers',
  filter(state, pod, { name }) {
    const number = Number(name.match(/\d+$/));
    return number % 2 === 0 ? undefined : unschedulable('node(s) had an odd number');
  },
};
