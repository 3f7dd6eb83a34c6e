/** The read units that DynamoDB bills for this many bytes: one for each 4 KB, or half if the read need not be consistent. */
export const readUnits = (bytes: number, isConsistent: boolean | undefined): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent === true ? 1 : 0.5);

/** Write units of an item of the given size in bytes, as DynamoDB bills them: 1 KB is one. */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));
