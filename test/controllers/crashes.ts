import { expect } from 'vitest';
import { mortalClient } from './mortal-client.ts';
import { World, type Reconcilers } from './world.ts';

export interface CrashCase {
  readonly make: Reconcilers;
  /** Brings the world to where the reconcilers have something to do. */
  prepare(world: World): Promise<void>;
  /** Fails unless the world is as it should be. */
  check(world: World): Promise<void>;
  /** Kills at every so many calls only, where there are very many. Default 1. */
  readonly stride?: number;
}

/**
 * Kills the reconcilers at every client call in turn, before and after the server has done it, and lets a new process go on:
 * the world must come out as it should, and stay as it is from then on. Returns how many calls there are.
 */
export async function surviveEveryCrash({ make, prepare, check, stride = 1 }: CrashCase): Promise<number> {
  for (let killAt = 1; ; killAt += stride) {
    const survived = await Promise.all(
      (['before', 'after'] as const).map(async (when) => {
        const world = new World();
        await prepare(world);
        const { client, isDead } = mortalClient(world.newClient('controllers'), killAt, when);
        await world.run(make, client, isDead);
        await world.run(make);
        await check(world);
        await expectSettled(world, make);
        await world.close();
        return !isDead();
      }),
    );
    if (survived.every(Boolean)) return killAt - 1;
  }
}

/** A new process finds nothing to write. */
export async function expectSettled(world: World, make: Reconcilers): Promise<void> {
  const before = await world.heads();
  await world.run(make);
  expect(await world.heads()).toEqual(before);
}
