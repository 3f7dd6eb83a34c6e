import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '#lib/storage/errors.ts';
import type { AppendResult, Proposal, Sequence } from '#lib/storage/sequence.ts';
import type { ActorOptions } from './actor-options.ts';
import { instant, record } from './history.ts';
import { nextChange, Replica } from './replica.ts';

const KEYS = 12;

export interface World {
  readonly options: ActorOptions;
  readonly sequence: Sequence;
  readonly random: () => number;
  readonly isStopped: () => boolean;
}

/** Changes random keys by read-modify-write, reads keys freshly, and compacts, until it is stopped. */
export async function write(world: World): Promise<void> {
  const replica = new Replica(world.sequence);
  await patiently(() => replica.load());
  for (let n = 1; !world.isStopped(); n++) {
    const chance = world.random();
    if (chance < 0.15) await patiently(() => readFresh(world, replica));
    else if (chance < 0.2) await patiently(() => world.sequence.compact());
    else await mutate(world, replica, n);
    if (world.random() < 0.5) await sleep(world.random() * 6);
  }
}

async function mutate(world: World, replica: Replica, n: number): Promise<void> {
  const { options, random } = world;
  const size = random() < 0.1 ? 0 : 1 + Math.floor(random() ** 3 * 8);
  const start = Math.floor(random() * KEYS);
  const plan = Array.from({ length: size }, (_, i) => ({
    key: `main//things/default/${(start + i) % KEYS}`,
    op: `${options.actor}-${n}-${i}`,
    toDelete: random() < 0.3,
  }));
  const ops = plan.map(({ op }) => op);
  const propose = () => plan.map(({ key, op, toDelete }) => nextChange(key, op, replica.state.get(key), toDelete));
  record(options.file, { kind: 'send', ops, t: instant() });
  for (let proposals = propose(); !world.isStopped(); ) {
    const result = await send(world, replica.head, proposals);
    if (result === 'unknown') return patiently(() => replica.load());
    if (result.ok) {
      record(options.file, { kind: 'ack', ops, first: result.first, last: result.last, t: instant() });
      return patiently(() => replica.follow());
    }
    const known = { winner: result.winner, last: result.last };
    if (known.winner === undefined || known.last === undefined) await patiently(() => replica.follow());
    else replica.apply(known.winner, known.last);
    if (options.plant !== 'stale-writer') proposals = propose();
  }
}

/** Repeats one append until its outcome is known. If a compaction overtakes it, the outcome stays unknown. */
async function send(world: World, after: number, proposals: readonly Proposal[]): Promise<AppendResult | 'unknown'> {
  const nonce = randomUUID();
  for (;;) {
    try {
      return await world.sequence.append(after, proposals, { nonce });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === 'Expired') return 'unknown';
      if (error.code !== 'Unavailable' && error.code !== 'Overloaded') throw error;
      if (world.options.plant === 'early-ack') {
        return { ok: true, first: after + 1, last: after + Math.max(proposals.length, 1) };
      }
      await sleep(world.random() * 10);
    }
  }
}

async function readFresh({ options, sequence, random }: World, replica: Replica): Promise<void> {
  const key = `main//things/default/${Math.floor(random() * KEYS)}`;
  const since = instant();
  const head = await sequence.head();
  if (options.plant !== 'stale-read') await replica.follow();
  if (options.plant !== 'stale-read' && replica.head < head)
    throw new Error(`followed to ${replica.head}, below ${head}`);
  const version = replica.state.get(key)?.version;
  const read = { kind: 'fresh', key, at: replica.head, since, t: instant() } as const;
  record(options.file, version === undefined ? read : { ...read, version });
}

/** Repeats calls that the backend rejects temporarily. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || !['Overloaded', 'Unavailable', 'Expired'].includes(error.code)) throw error;
      await sleep(5);
    }
  }
}
