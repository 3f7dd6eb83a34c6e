/**
 * The time in ms between reconciliations of one object. Pods are created, become ready and are deleted several at a time, and each
 * reconciliation reads all of them and writes their totals.
 */
export const TURNS_APART = 100;
