/**
 * Milliseconds between turns about one thing: pods come, become ready and go several at a time, and each turn reads all of them
 * and writes what they add up to.
 */
export const TURNS_APART = 100;
