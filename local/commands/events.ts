import type { Writable } from 'node:stream';
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock as clock } from '#adapters/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { SequenceStore, Version } from '#lib/storage/sequence.ts';
import type { DeadLetters } from '#lib/stream/dead-letters.ts';
import { eventConsumer } from '#lib/stream/event-consumer.ts';
import type { ChangeEvent } from '#lib/stream/event-schema.ts';
import { MemoryDeadLetters } from '#lib/stream/memory-dead-letters.ts';
import { type ReplayResult, replayDeadLetters, replayLog } from '#lib/stream/replay.ts';
import type { Sink } from '#lib/stream/sink.ts';
import type { Flags } from '../command.ts';
import { openDataStore } from '../data-store.ts';
import { StartFault } from '../start-fault.ts';

interface ReplayFlags {
  readonly from?: From;
  readonly sequence?: readonly string[];
  readonly letters?: true;
  readonly table?: string;
  readonly bus?: string;
  readonly clusterId: string;
  readonly kmsKey?: string;
}

type From = { readonly version: Version } | { readonly time: number };

/** Adds `events replay`, which publishes earlier events again. */
export function eventsCommand(command: Command, output: Writable = process.stdout): void {
  command
    .command('events')
    .description('publish or print events of committed changes')
    .command('replay')
    .description('publish events again from the logs; without --bus, print them as lines of JSON')
    .option(
      '--from <version|time>',
      'the first version (with --sequence), or a time such as 2026-01-31T12:00:00Z',
      fromOf,
    )
    .option('--sequence <name...>', 'these logs only, such as main/apps/deployments; default: all')
    .option('--letters', 'publish the events that the bus refused, in place of a log')
    .option('--table <name>', 'the DynamoDB table of a control plane; default: the data directory')
    .option('--bus <name>', 'the event bus to publish to')
    .option('--cluster-id <id>', 'the cluster id in the events', 'davit')
    .option('--kms-key <id>', 'the KMS key that encrypts Secrets in the table')
    .action(async (flags: ReplayFlags) => {
      const { delivered, refused } = await replay(flags, command, output);
      for (const { version, reason } of refused) console.error(`davit: version ${version}: ${reason}`);
      console.error(`davit: ${delivered} events${refused.length === 0 ? '' : `, ${refused.length} refused`}`);
      if (refused.length > 0) process.exitCode = 1;
    });
}

function fromOf(text: string): From {
  if (/^\d{1,16}$/.test(text)) return { version: Number(text) };
  const time = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time))
    throw new InvalidArgumentError('It is a version or a time of RFC 3339.');
  return { time };
}

async function replay(flags: ReplayFlags, command: Command, output: Writable): Promise<ReplayResult> {
  check(flags);
  await using source = await open(flags, command);
  const sink = await sinkOf(flags, output);
  const consumer = eventConsumer({ bus: sink, clusterId: flags.clusterId, publish: [] });
  const { store, deadLetters } = source;
  if (flags.letters === true) return await replayDeadLetters({ store, consumer, deadLetters });
  const names = (flags.sequence ?? (await store.names())).filter(
    (name) => flags.sequence !== undefined || consumer.wants(name),
  );
  const all: ReplayResult[] = [];
  for (const name of names) {
    const from = await versionOf(flags.from as From, name, store);
    all.push(
      await replayLog(name, from, { store, consumer, deadLetters, now: () => clock.now() }).catch(explained(name)),
    );
  }
  return { delivered: all.reduce((sum, one) => sum + one.delivered, 0), refused: all.flatMap((one) => one.refused) };
}

function check({ from, sequence, letters, table }: ReplayFlags): void {
  if (letters === true ? from !== undefined : from === undefined)
    throw new StartFault('give either --from or --letters');
  if (letters === true && table === undefined) throw new StartFault('--letters requires --table');
  if (from !== undefined && 'version' in from && sequence?.length !== 1)
    throw new StartFault('a version in --from requires --sequence; or give a time');
}

const versionOf = async (from: From, name: string, store: SequenceStore): Promise<Version> =>
  'version' in from ? from.version : (await store.sequence(name).positionBefore(from.time)) + 1;

const explained =
  (name: string) =>
  (error: unknown): never => {
    if (!(error instanceof StoreError && error.code === 'Expired')) throw error;
    throw new StartFault(`the log of ${name} does not reach back so far`);
  };

interface Source extends AsyncDisposable {
  readonly store: SequenceStore;
  readonly deadLetters: DeadLetters;
}

async function open({ table: name, clusterId, kmsKey }: ReplayFlags, command: Command): Promise<Source> {
  if (name === undefined) {
    const { store, close } = await openDataStore(command.opts<Flags>());
    return { store, deadLetters: new MemoryDeadLetters(), [Symbol.asyncDispose]: close };
  }
  const { openTable } = await import('./open-table.ts');
  return openTable({ name, clusterId, kmsKey });
}

async function sinkOf({ bus }: ReplayFlags, output: Writable): Promise<Sink<ChangeEvent>> {
  if (bus === undefined) return printer(output);
  const { EventBridgeClient } = await import('@aws-sdk/client-eventbridge');
  const { eventBus } = await import('#adapters/aws/eventbridge/bus.ts');
  return eventBus(new EventBridgeClient({}), bus, clock);
}

const printer = (output: Writable): Sink<ChangeEvent> => ({
  async send(events) {
    for (const event of events) output.write(`${JSON.stringify(event)}\n`);
    return [];
  },
});
