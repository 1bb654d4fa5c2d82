import { wait } from 'stowage';

const NAME = 'InPairs';

/** A pod with a node waits for a second one; then both go on. @type {import('stowage').Plugin} */
export default {
  name: NAME,
  create(args, handle) {
    let first = '';
    return {
      permit(state, { metadata: { uid } }) {
        const other = first && handle.getWaitingPod(first);
        first = other ? '' : uid;
        if (!other) return wait(60_000);
        other.allow(NAME);
        return undefined;
      },
    };
  },
};
