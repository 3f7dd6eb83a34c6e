import { setImmediate } from 'node:timers/promises';

/**
 * The one way to let work proceed in a test with a fake clock: resolves after all work has run that waits for no sleep and no other
 * program. `rounds` is the number of times that this work itself waits for the event loop.
 */
export async function settled(rounds = 1): Promise<void> {
  for (let round = 0; round < rounds; round++) await setImmediate();
}
