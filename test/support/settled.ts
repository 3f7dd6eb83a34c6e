import { setImmediate } from 'node:timers/promises';

/**
 * The only way to let work proceed in a test with a fake clock. It resolves after all work has run that waits neither for a sleep nor for
 * another program. `rounds` is the number of times that this work itself waits for the event loop.
 */
export async function settled(rounds = 1): Promise<void> {
  for (let round = 0; round < rounds; round++) await setImmediate();
}
