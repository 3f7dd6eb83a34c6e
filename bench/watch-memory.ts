import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTable } from '#adapters/aws/dynamodb/connect.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { functionUrlEvent } from '#adapters/aws/lambda/testing.ts';
import { systemClock } from '#adapters/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import type { Sequence } from '#lib/storage/sequence.ts';
import { localClient } from '#test/support/dynamodb-local/fixture.ts';
import { Environment, type FunctionOptions } from '#test/support/lambda/environment.ts';
import { awsToken } from '#test/support/lambda/sts.ts';
import { startWorld } from '#test/support/lambda/world.ts';
import { aConfigMap, fill } from '../test/store/fill.ts';

const OBJECTS = 10_000;
const CHANGES = 200;
/** The memory in MB of a function with one full processor. */
const PROCESSOR = 1769;
const SIZES = [512, 256, 192, 128];
const WATCH =
  '/api/v1/namespaces/ns/podtemplates?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=240';

/** A kind that no controller writes. */
function aTemplate(key: string): JsonObject {
  const { data = {}, metadata = {} } = aConfigMap(key);
  return { kind: 'PodTemplate', apiVersion: 'v1', metadata, template: { metadata: { annotations: data } } };
}

const keyOf = (i: number): string => `main//podtemplates/ns/m${String(i).padStart(7, '0')}`;

/**
 * Measures and prints the bundle in Lambda's own runtime while it serves a watch of 10,000 objects of 1 KB. It runs in a cgroup with the
 * memory and processor share of functions of several sizes.
 */
export async function measureWatchMemory(): Promise<void> {
  const world = await startWorld({ concurrency: 2, env: {} });
  if ('missing' in world) throw new Error(world.missing);
  await using _ = world;
  const { env } = world.options;
  const store = dynamoStore(
    connectTable(localClient(env['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''), env['DAVIT_TABLE'] ?? ''),
    {
      clock: systemClock,
    },
  );
  const sequence = store.sequence('main//podtemplates');
  await fill(sequence, OBJECTS, { key: keyOf, make: (i) => aTemplate(keyOf(i)) });
  console.log(
    'MB | until the head | until the last initial event | processor time | a change, p50 | memory at most, MiB | then',
  );
  for (const megabytes of SIZES) console.log(`${megabytes} | ${await measured(world.options, megabytes, sequence)}`);
  await store.close();
}

async function measured(options: FunctionOptions, megabytes: number, sequence: Sequence): Promise<string> {
  const groups = ['memory', 'cpu'].map((name) => `/sys/fs/cgroup/${name}/davit-watch-${process.pid}`);
  const [memory = '', cpu = ''] = groups;
  for (const group of groups) mkdirSync(group);
  const folder = mkdtempSync(join(tmpdir(), 'davit-watch-'));
  try {
    writeFileSync(`${memory}/memory.limit_in_bytes`, String(megabytes * 2 ** 20));
    writeFileSync(`${cpu}/cpu.cfs_period_us`, '100000');
    writeFileSync(`${cpu}/cpu.cfs_quota_us`, String(Math.round((megabytes / PROCESSOR) * 100_000)));
    const runtime = join(folder, 'runtime.mjs');
    const joins = groups.map((group) => `writeFileSync('${group}/cgroup.procs', String(process.pid));`).join('\n');
    writeFileSync(runtime, `import { writeFileSync } from 'node:fs';\n${joins}\nawait import('${options.runtime}');\n`);
    // The flags that Lambda's runtime sets.
    const heap = `--max-old-space-size=${Math.floor(megabytes * 0.9)} --max-semi-space-size=${Math.floor(megabytes * 0.05)}`;
    const begun = performance.now();
    const environment = await Environment.start({ ...options, runtime, env: { ...options.env, NODE_OPTIONS: heap } });
    try {
      return await watched(environment, { begun, sequence, memory });
    } finally {
      await environment.stop();
    }
  } catch (error) {
    return `died: ${String(error).slice(0, 100)}`;
  } finally {
    rmSync(folder, { recursive: true });
    for (const group of groups) rmdirSync(group);
  }
}

interface Watched {
  readonly begun: number;
  readonly sequence: Sequence;
  /** The cgroup. */
  readonly memory: string;
}

async function watched(environment: Environment, { begun, sequence, memory }: Watched): Promise<string> {
  const headers = [['authorization', `Bearer ${awsToken(new Date())}`]] as const;
  const exchange = environment.invoke(functionUrlEvent({ target: WATCH, headers }));
  const { head, body } = await exchange.read();
  const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(2)} s`;
  const first = seconds(begun);
  if (head.statusCode !== 200) return `status ${head.statusCode}`;
  const chunks = body[Symbol.asyncIterator]();
  const until = async (text: string): Promise<void> => {
    for (let seen = ''; ; ) {
      const { done, value } = await chunks.next();
      if (done === true) throw new Error('the watch ended');
      seen = seen.slice(-text.length) + Buffer.from(value).toString();
      if (seen.includes(text)) return;
    }
  };
  await until('initial-events-end');
  const [initial, processor] = [seconds(begun), processorTime(environment.pid)];
  const times: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const mark = `change-${begun}-${i}`;
    const sent = performance.now();
    await change(sequence, i, mark);
    await until(mark);
    times.push(performance.now() - sent);
  }
  const p50 = times.toSorted((a, b) => a - b)[CHANGES / 2] ?? 0;
  const at = (name: string): string => (Number(readFileSync(`${memory}/${name}`, 'utf8')) / 2 ** 20).toFixed(0);
  const resident = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${environment.pid}/status`, 'utf8'))?.[1];
  const told = `resident ${(Number(resident) / 1024).toFixed(0)}, cgroup ${at('memory.max_usage_in_bytes')}`;
  const hits = readFileSync(`${memory}/memory.failcnt`, 'utf8').trim();
  return `${first} | ${initial} | ${processor.toFixed(2)} s | ${p50.toFixed(0)} ms | ${told} | limit met ${hits} times`;
}

async function change(sequence: Sequence, i: number, mark: string): Promise<void> {
  const key = keyOf(i);
  const body = Buffer.from(JSON.stringify({ ...aTemplate(key), template: { metadata: { annotations: { mark } } } }));
  const after = await sequence.head();
  const result = await sequence.append(after, [{ key, type: 'MODIFIED', body, ...summarizeBody(body) }], {
    nonce: mark,
  });
  if (!result.ok) throw new Error('another process writes to the log');
}

/** The processor time of a process in seconds. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
