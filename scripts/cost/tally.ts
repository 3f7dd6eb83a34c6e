/** The functions that do a deployment's work. */
export const FUNCTIONS = ['apiserver', 'doorbell', 'reconcilers', 'scheduler', 'relay'] as const;
/** The name of a function. */
export type FunctionName = (typeof FUNCTIONS)[number];

/**
 * The names of everything that is billed by count. For each function: its invocations, its DynamoDB calls, and the units billed for them.
 * For the services: kilobytes of responses at the front door, events on the bus, queue calls (send, receive and delete), one-off schedules,
 * KMS calls, and minutes and messages of connections at the WebSocket API.
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
/** The name of a count. */
export type Count = (typeof COUNTS)[number];

/** The amount of each count. A missing one is zero. */
export type Tally = Readonly<Partial<Record<Count, number>>>;

/** The sum of tallies, each multiplied by its count. */
export function sum(parts: readonly (readonly [times: number, of: Tally])[]): Tally {
  const all = new Map<Count, number>();
  for (const [times, of] of parts)
    for (const name of COUNTS) all.set(name, (all.get(name) ?? 0) + times * (of[name] ?? 0));
  return Object.fromEntries([...all].filter(([, value]) => value !== 0));
}
