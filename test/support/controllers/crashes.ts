import { expect } from 'vitest';
import { aroundCalls, mortalClient } from './mortal-client.ts';
import { type Reconcilers, World } from './world.ts';

export interface CrashCase {
  readonly make: Reconcilers;
  /** Creates objects that cause work for the reconcilers. */
  prepare(world: World): Promise<void>;
  /** Throws unless the world is in the expected state. */
  check(world: World): Promise<void>;
}

interface Kill {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/**
 * Kills the reconcilers at one client call after another, each time in a fresh world, and then runs a new process. The world must reach the
 * expected state and stay in it. DAVIT_FULL=1 kills before and after every call. Otherwise it kills once for each state that a crash can
 * leave: the stored objects, and the writes in flight, which arrive while the next process runs. Returns the number of kills.
 */
export async function surviveEveryCrash(test: CrashCase): Promise<number> {
  const origin = new World();
  await test.prepare(origin);
  const kills =
    process.env['DAVIT_FULL'] === undefined ? await killAtStates(origin, test) : await killAtAll(origin, test);
  await origin.close();
  return kills;
}

async function killAtStates(origin: World, test: CrashCase): Promise<number> {
  const kills = await killsOfStates(origin.fork(), test.make);
  for (const kill of kills) expect([kill, await survives(origin, test, kill)]).toEqual([kill, false]);
  return kills.length;
}

async function killAtAll(origin: World, test: CrashCase): Promise<number> {
  for (let call = 1; ; call++) {
    const before = await survives(origin, test, { call, when: 'before' });
    const after = await survives(origin, test, { call, when: 'after' });
    if (before && after) return 2 * (call - 1);
  }
}

/** Returns whether the process survived because it makes fewer calls. */
async function survives(origin: World, { make, check }: CrashCase, { call, when }: Kill): Promise<boolean> {
  const world = origin.fork();
  const { client, isDead } = mortalClient(world.newClient('controllers'), call, when);
  await world.run(make, client, isDead);
  await world.run(make);
  await check(world);
  await expectSettled(world, make);
  await world.close();
  return !isDead();
}

/** The first kill for each state that it leaves. It observes without waiting, so that concurrent calls get the same numbers again. */
async function killsOfStates(world: World, make: Reconcilers): Promise<readonly Kill[]> {
  const kills: Kill[] = [];
  const writing = new Set<number>();
  let calls = 0;
  let last = '';
  const note = (kill: Kill): void => {
    const state = `${world.state()} ${[...writing].join()}`;
    if (state !== last) kills.push(kill);
    last = state;
  };
  const observed = aroundCalls(world.newClient('controllers'), async (run, isWrite) => {
    const call = ++calls;
    note({ call, when: 'before' });
    if (isWrite) writing.add(call);
    const end = (): void => {
      writing.delete(call);
      note({ call, when: 'after' });
    };
    const running = run();
    running.then(end, end);
    return running;
  });
  await world.run(make, observed);
  await world.close();
  return kills;
}

/** Expects that a new process writes nothing. */
export async function expectSettled(world: World, make: Reconcilers): Promise<void> {
  const before = await world.heads();
  await world.run(make);
  expect(await world.heads()).toEqual(before);
}
