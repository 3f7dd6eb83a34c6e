/** The count, or undefined for 0. Go omits zero counts of a status. */
export const unlessZero = (value: number): number | undefined => (value === 0 ? undefined : value);
