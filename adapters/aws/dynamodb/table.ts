/**
 * The single table as a plain value. The template, the tests and `createTable` create it from this value. Every item has a partition key
 * and a sort key. Only chunks, tombstones and rate accounts have a `ttl`.
 */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
  /** The stream only notifies. Its consumers read the log themselves. */
  streamView: 'KEYS_ONLY',
  billing: 'PAY_PER_REQUEST',
  /** The prefix that the stream's filter matches. An INSERT whose partition key begins with this is one committed entry. */
  logPrefix: 'log/',
  /** The sort key of an entry begins with this, up to position 10^15. An epoch (after a restore) takes 2^40 positions. */
  positionPrefix: '0',
} as const;
