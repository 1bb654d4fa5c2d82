import { unschedulable } from 'stowage';

/**
 * Pods with the label `hold` stay out of the queue until it is taken away. A hint looks at what
 * changed. @type {import('stowage').Plugin}
 */
export default {
  name: 'Hold',
  preEnqueue: ({ metadata }) => (metadata.labels?.hold ? unschedulable('pod is held') : undefined),
  events: [
    {
      resource: 'Pod',
      actionType: ['UpdatePodLabel'],
      queueingHint: (pod, before, after) => (after?.metadata.labels?.hold ? 'QueueSkip' : 'Queue'),
    },
  ],
};
