/** The read units that DynamoDB bills for this many bytes: one for each 4 KB, or half of that for an eventually consistent read. */
export const readUnits = (bytes: number, isConsistent: boolean | undefined): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent === true ? 1 : 0.5);

/** The write units that DynamoDB bills for an item of the given size in bytes: one for each KB. */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));
