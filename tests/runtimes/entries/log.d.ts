/** The log of the run that `record` recorded, which the test writes here. */
export const log: string;
