/** The count, or undefined for 0: counts of a status that Go leaves out where they are zero. */
export const unlessZero = (value: number): number | undefined => (value === 0 ? undefined : value);
