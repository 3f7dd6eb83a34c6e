import { expect } from 'vitest';
import { aroundCalls, mortalClient } from './mortal-client.ts';
import { type Reconcilers, World } from './world.ts';

export interface CrashCase {
  readonly make: Reconcilers;
  /** Brings the world to where the reconcilers have something to do. */
  prepare(world: World): Promise<void>;
  /** Fails unless the world is as it should be. */
  check(world: World): Promise<void>;
  /**
   * Which calls it is killed at. Default each, before and after the server has done it; `commits`: behind each that changed anything, where
   * there are very many. A death at any other call leaves what the death before it left.
   */
  readonly at?: 'commits';
}

interface Kill {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/**
 * Kills the reconcilers at client calls in turn, and lets a new process go on: the world must come out as it should, and stay as it is
 * from then on. Returns how many calls it was killed at.
 */
export async function surviveEveryCrash({ make, prepare, check, at }: CrashCase): Promise<number> {
  const origin = new World();
  await prepare(origin);
  const survives = async ({ call, when }: Kill): Promise<boolean> => {
    const world = origin.fork();
    const { client, isDead } = mortalClient(world.newClient('controllers'), call, when);
    await world.run(make, client, isDead);
    await world.run(make);
    await check(world);
    await expectSettled(world, make);
    await world.close();
    return !isDead();
  };
  const calls = at === 'commits' ? await killAtCommits(origin, make, survives) : await killAtAll(survives);
  await origin.close();
  return calls;
}

async function killAtAll(survives: (kill: Kill) => Promise<boolean>): Promise<number> {
  for (let call = 1; ; call++) {
    const both = await Promise.all([survives({ call, when: 'before' }), survives({ call, when: 'after' })]);
    if (both.every(Boolean)) return call - 1;
  }
}

async function killAtCommits(
  origin: World,
  make: Reconcilers,
  survives: (kill: Kill) => Promise<boolean>,
): Promise<number> {
  const commits = await commitsOf(origin.fork(), make);
  await survives({ call: 1, when: 'before' });
  for (const call of commits) await survives({ call, when: 'after' });
  return commits.length;
}

/** The numbers of the calls that change something, until the world is settled. */
async function commitsOf(world: World, make: Reconcilers): Promise<readonly number[]> {
  const commits: number[] = [];
  let calls = 0;
  const observed = aroundCalls(world.newClient('controllers'), async (call) => {
    const number = ++calls;
    const before = JSON.stringify(await world.heads());
    const answer = await call();
    if (JSON.stringify(await world.heads()) !== before) commits.push(number);
    return answer;
  });
  await world.run(make, observed);
  await world.close();
  return commits;
}

/** A new process finds nothing to write. */
export async function expectSettled(world: World, make: Reconcilers): Promise<void> {
  const before = await world.heads();
  await world.run(make);
  expect(await world.heads()).toEqual(before);
}
