/** Ready-made configurations for comparisons, in YAML. */

const HEAD = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
`;

/** @typedef {{ id: string, title: string, text: string }} ReadyConfiguration */

/** The first is kube-scheduler's default. @type {readonly ReadyConfiguration[]} */
export const READY_CONFIGURATIONS = [
  {
    id: 'defaults',
    title: 'Defaults: LeastAllocated spreads',
    text: HEAD,
  },
  {
    id: 'most-allocated',
    title: 'MostAllocated: bin packing',
    text: `${HEAD}profiles:
  - pluginConfig:
      - name: NodeResourcesFit
        args: { scoringStrategy: { type: MostAllocated } }
`,
  },
  {
    id: 'packing-alone',
    title: 'MostAllocated without default spreading',
    text: `${HEAD}profiles:
  - pluginConfig:
      - name: NodeResourcesFit
        args: { scoringStrategy: { type: MostAllocated } }
      - name: PodTopologySpread
        args: { defaultingType: List, defaultConstraints: [] }
`,
  },
  {
    id: 'every-node',
    title: 'percentageOfNodesToScore 100: every node is evaluated',
    text: `${HEAD}percentageOfNodesToScore: 100
`,
  },
  {
    id: 'no-preemption',
    title: 'DefaultPreemption disabled: no pod is evicted',
    text: `${HEAD}profiles:
  - plugins:
      postFilter: { disabled: [{ name: DefaultPreemption }] }
`,
  },
  {
    id: 'no-spreading',
    title: 'PodTopologySpread disabled',
    text: `${HEAD}profiles:
  - plugins:
      multiPoint: { disabled: [{ name: PodTopologySpread }] }
`,
  },
];
