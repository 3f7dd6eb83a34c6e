/**
 * The single table as a plain value, from which the template, the tests and `createTable` create it. Every item has a partition key and a
 * sort key. Only chunks, tombstones and rate accounts have a `ttl`.
 */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
  /** The stream only sends keys, because its consumers read the log themselves. */
  streamView: 'KEYS_ONLY',
  billing: 'PAY_PER_REQUEST',
  /** The prefix that the stream's filter matches. An INSERT with this prefix in its partition key is one committed entry. */
  logPrefix: 'log/',
  /** The prefix of an entry's sort key up to position 10^15. An epoch (after a restore) takes 2^40 positions. */
  positionPrefix: '0',
} as const;
