/**
 * The one table, as a plain value: what the template, the tests and `createTable` make it from.
 * Every item has a partition and a sort key; only chunks, tombstones and accounts of rates carry `ttl`.
 */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
  /** The stream is a doorbell: who is rung reads the log itself. */
  streamView: 'KEYS_ONLY',
  billing: 'PAY_PER_REQUEST',
  /** The prefix that the stream's filter matches: an INSERT whose partition key begins with this is one committed entry. */
  logPrefix: 'log/',
  /** The sort key of an entry begins with this, up to position 10^15. An epoch (of a restore) takes 2^40 positions. */
  positionPrefix: '0',
} as const;
