/** Selectors of labels and of nodes. */
import { fieldRequirement, labelRequirement, labels } from './roles.js';

export const LABEL_SELECTOR = { matchLabels: labels, matchExpressions: [labelRequirement] };

export const NODE_SELECTOR_TERM = {
  matchExpressions: [labelRequirement],
  matchFields: [fieldRequirement],
};

export const NODE_SELECTOR = { nodeSelectorTerms: [NODE_SELECTOR_TERM] };
