import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { connectTable, dynamoClient } from '#adapters/aws/dynamodb/connect.ts';
import { createTable } from '#adapters/aws/dynamodb/create-table.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Change, Proposal } from '#lib/storage/sequence.ts';

/** Time-out in ms, because the first request to a newly started server loads most of its code. */
const PATIENCE = 60_000;

/** Dummy credentials. Only loopback is used, and no metadata service is contacted. */
export function localClient(endpoint: string): DynamoDBClient {
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return dynamoClient({ endpoint, region: 'local', credentials, timeout: PATIENCE });
}

/** A new table, without a stream by default. */
export async function localTable(
  endpoint: string,
  name: string,
  options: { readonly hasStream?: boolean } = {},
): Promise<Table> {
  const client = localClient(endpoint);
  await createTable(client, name, options);
  return connectTable(client, name);
}

/** A clock that tests advance; `sleep` returns immediately and advances it. */
export class TestClock implements Clock {
  wall = 1_800_000_000_000;
  elapsed = 0;

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.elapsed;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.advance(milliseconds);
    await pause(0);
  }

  advance(milliseconds: number): void {
    this.wall += milliseconds;
    this.elapsed += milliseconds;
  }
}

/** The clock of an environment that may be frozen. Short sleeps take real time, so tests do not have to advance it. */
export class FreezableClock implements Clock {
  #lag = 0;
  readonly #world: Clock;

  constructor(world: Clock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now();
  }

  monotonic(): number {
    return this.#world.monotonic() - this.#lag;
  }

  /** Simulates a suspension: the monotonic clocks of some machines do not count it. */
  lose(milliseconds: number): void {
    this.#lag += milliseconds;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds > 5_000) return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()));
    await pause(milliseconds / 10);
  }
}

/** A stored body with a version to be stamped. `fill` increases its size. */
export function aBody(fill = ''): Uint8Array {
  return Buffer.from(JSON.stringify({ kind: 'Thing', metadata: { resourceVersion: '0', name: 'x' }, fill }));
}

export function aProposal(name: string, overrides: Partial<Proposal> = {}): Proposal {
  const key = `main//things/default/${name}`;
  const summary = { labels: {}, fields: {}, generation: 1, ownerReferences: [] };
  return { key, type: 'ADDED', body: aBody(), ...summary, ...overrides };
}

/** `name@version` of each change, for comparison in tests. */
export const brief = (changes: readonly Change[]): string[] =>
  changes.map(({ key, version }) => `${key.split('/').at(-1)}@${version}`);
