import { createContext } from 'preact';

/** A suffix for labels that tells two decisions apart; empty if there is only one. */
export const DecisionSide = createContext('');
