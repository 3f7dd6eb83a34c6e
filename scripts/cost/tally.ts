/** The functions that do the work of a deployment. */
export const FUNCTIONS = ['apiserver', 'doorbell', 'reconcilers', 'scheduler', 'relay'] as const;
/** One of them. */
export type FunctionName = (typeof FUNCTIONS)[number];

/**
 * The names of all that is billed by number. Of each function: how often it runs, its calls of DynamoDB, and the units that those are
 * billed as. Of the services: kilobytes of answers at the front door, events on the bus, calls of queues (to send, receive and
 * delete), one-off schedules, calls of KMS, minutes and messages of connections at the WebSocket API.
 */
export const COUNTS = [
  'apiserver: invocations',
  'apiserver: calls',
  'apiserver: read units',
  'apiserver: write units',
  'doorbell: invocations',
  'doorbell: calls',
  'doorbell: read units',
  'doorbell: write units',
  'reconcilers: invocations',
  'reconcilers: calls',
  'reconcilers: read units',
  'reconcilers: write units',
  'scheduler: invocations',
  'scheduler: calls',
  'scheduler: read units',
  'scheduler: write units',
  'relay: invocations',
  'relay: calls',
  'relay: read units',
  'relay: write units',
  'kilobytes sent',
  'events',
  'FIFO requests',
  'queue requests',
  'schedules',
  'key requests',
  'connection minutes',
  'messages',
] as const;
/** One of them. */
export type Count = (typeof COUNTS)[number];

/** So much of each; what is missing is nothing. */
export type Tally = Readonly<Partial<Record<Count, number>>>;

/** The sum of tallies, each so many times. */
export function sum(parts: readonly (readonly [times: number, of: Tally])[]): Tally {
  const all = new Map<Count, number>();
  for (const [times, of] of parts)
    for (const name of COUNTS) all.set(name, (all.get(name) ?? 0) + times * (of[name] ?? 0));
  return Object.fromEntries([...all].filter(([, value]) => value !== 0));
}
