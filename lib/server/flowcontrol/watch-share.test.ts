import { describe, expect, test } from 'vitest';
import { claimSlot, type HeldSlot } from './watch-share.ts';

const SECOND = 1000;

/** Watchers that try to take slots every 5 s, as clients do after a 429, and retry immediately after their watch ends. */
class World {
  readonly #count: number;
  readonly #held = new Map<number, HeldSlot>();
  #now = 0;
  #waiting: { readonly holder: string; readonly watch: string }[] = [];
  /** The number of slots taken from watches that may not have noticed yet. */
  lingering = 0;

  constructor(count: number) {
    this.#count = count;
  }

  want(holder: string, watches: number): void {
    for (let i = 0; i < watches; i++) this.#waiting.push({ holder, watch: `${holder}-${i}` });
  }

  leave(holder: string): void {
    this.#waiting = this.#waiting.filter((one) => one.holder !== holder);
    for (const [slot, one] of this.#held) if (one.holder === holder) this.#held.delete(slot);
  }

  run(seconds: number): void {
    for (const end = this.#now + seconds * SECOND; this.#now < end; this.#now += 5 * SECOND) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const asker of waiting) this.#try(asker);
      const recent = [...this.#held.values()].filter(({ succeeds, since }) => succeeds && this.#now - since < 40_000);
      this.lingering = Math.max(this.lingering, recent.length);
    }
  }

  #try(asker: { readonly holder: string; readonly watch: string }): void {
    const claim = claimSlot({ held: [...this.#held.values()], count: this.#count, now: this.#now }, asker, 0);
    if (claim === undefined) return void this.#waiting.push(asker);
    const { slot, from } = claim;
    if (from !== undefined) this.#waiting.push(from);
    this.#held.set(slot, { ...asker, slot, since: this.#now, succeeds: from !== undefined });
  }

  counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { holder } of this.#held.values()) counts[holder] = (counts[holder] ?? 0) + 1;
    return counts;
  }
}

describe('the division of 60 slots', () => {
  test('gives all slots to a single user', () => {
    const world = new World(60);
    world.want('ann', 80);
    world.run(60);
    expect(world.counts()).toEqual({ ann: 60 });
  });

  test('gives a second user the same share within three minutes', () => {
    const world = new World(60);
    world.want('ann', 80);
    world.run(60);
    world.want('bob', 80);
    world.run(180);
    expect(world.counts()).toEqual({ ann: 30, bob: 30 });
  });

  test('gives a user with few watches all of them at once', () => {
    const world = new World(60);
    for (const user of ['ann', 'bob', 'cid']) world.want(user, 80);
    world.run(120);
    world.want('dan', 4);
    world.run(10);
    expect(world.counts()).toEqual({ ann: 19, bob: 19, cid: 18, dan: 4 });
  });

  test('gives five users an equal share, with at most a third of the slots lingering', () => {
    const world = new World(60);
    for (const [i, user] of ['ann', 'bob', 'cid', 'dan', 'eve'].entries()) {
      world.want(user, 40);
      world.run(20 * i);
    }
    world.run(300);
    expect(world.counts()).toEqual({ ann: 12, bob: 12, cid: 12, dan: 12, eve: 12 });
    expect(world.lingering).toBeLessThanOrEqual(20);
    world.leave('ann');
    world.run(300);
    expect(world.counts()).toEqual({ bob: 15, cid: 15, dan: 15, eve: 15 });
  });

  test('lets others take slots of a user that keeps reopening watches', () => {
    const world = new World(60);
    world.want('eve', 60);
    world.run(60);
    world.want('eve', 60);
    world.want('bob', 10);
    world.run(120);
    expect(world.counts()).toEqual({ eve: 50, bob: 10 });
    expect(world.lingering).toBeLessThanOrEqual(20);
  });

  test('keeps all slots in place after all users have their share', () => {
    const world = new World(60);
    for (const user of ['ann', 'bob', 'cid']) world.want(user, 40);
    world.run(300);
    world.lingering = 0;
    world.run(600);
    expect(world.lingering).toBe(0);
  });
});
