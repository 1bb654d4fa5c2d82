import { createContext } from 'preact';

/** Which of two decisions it is, as it is put behind labels; empty: there is one alone. */
export const DecisionSide = createContext('');
