import { execFile } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const OBJECTS = 100_000;
/** The memory in MB of a function with one full processor. */
const ONE_PROCESSOR = 1_769;
/** Memory in MB, and the number of objects of 1 KB that just fit into the cache of a function with that memory. */
const HELD: readonly (readonly [number, number])[] = [
  [512, 72_000],
  [1_769, 370_000],
];
const MAPS = '/api/v1/namespaces/ns/configmaps';
const FORMS: readonly (readonly [form: string, path: string, accept: string, encoding?: string])[] = [
  ['JSON', MAPS, 'application/json'],
  ['JSON, compressed', MAPS, 'application/json', 'gzip'],
  ['protobuf', MAPS, 'application/vnd.kubernetes.protobuf'],
  ['pages of 500', `${MAPS}?limit=500`, 'application/json'],
  ['table', MAPS, 'application/json;as=Table;v=v1;g=meta.k8s.io'],
  ['indented JSON', `${MAPS}?pretty=true`, 'application/json'],
  ['metadata', MAPS, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  [
    'initial events',
    `${MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    'application/json',
  ],
];

/** Measures and prints lists of 100,000 objects in a process in a cgroup, with a function's memory and share of a processor. */
export async function measureLists(): Promise<void> {
  const groups = ['memory', 'cpu'].map((name) => `/sys/fs/cgroup/${name}/davit-lists-${process.pid}`);
  try {
    for (const group of groups) mkdirSync(group);
    bound(groups, 512);
  } catch (error) {
    return console.log(`skipped, for it needs root and cgroups of version 1: ${String(error)}`);
  }
  console.log(
    'list | bytes | status | requests | MB | processor time to the first byte | in all | of the main thread | of the last list | memory at most, MiB',
  );
  for (const bytes of [1_000, 5_000]) {
    for (const [what, path, accept, encoding = ''] of FORMS) {
      const list = [path, accept, encoding, String(bytes), String(OBJECTS), '512', '1'];
      console.log(`${what} | ${bytes} | ${await measured(list, groups)}`);
    }
  }
  for (const [memory, objects] of HELD) {
    bound(groups, memory);
    const list = [
      MAPS.replace('/namespaces/ns', ''),
      'application/json',
      '',
      '1000',
      String(objects),
      String(memory),
      '3',
    ];
    console.log(`${objects} as JSON thrice with ${memory} MB | 1000 | ${await measured(list, groups)}`);
  }
  for (const group of groups) rmdirSync(group);
}

/** Limits the cgroups to the resources of a Lambda function with this much memory in MB. */
function bound([memory = '', cpu = '']: readonly string[], megabytes: number): void {
  writeFileSync(`${memory}/memory.limit_in_bytes`, String(megabytes * 2 ** 20));
  writeFileSync(`${cpu}/cpu.cfs_period_us`, '100000');
  writeFileSync(`${cpu}/cpu.cfs_quota_us`, String(Math.round((megabytes / ONE_PROCESSOR) * 100_000)));
}

async function measured(list: readonly string[], groups: readonly string[]): Promise<string> {
  const memory = Number(list[5]);
  // The flags that Lambda's own runtime for Node.js sets.
  const flags = [
    `--max-old-space-size=${Math.floor(memory * 0.9)}`,
    `--max-semi-space-size=${Math.floor(memory * 0.05)}`,
  ];
  const server = new URL('list-server.ts', import.meta.url).pathname;
  const args = [...flags, server, ...list, ...groups];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const told: Readonly<Record<string, number>> = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
    const { status, requests, megabytes = 0, first = 0, seconds = 0, main = 0, last = 0, maxRSS = 0 } = told;
    return `${status} | ${requests} | ${megabytes.toFixed(0)} | ${first.toFixed(2)} s | ${seconds.toFixed(1)} s | ${main.toFixed(1)} s | ${last.toFixed(1)} s | ${maxRSS.toFixed(0)}`;
  } catch (error) {
    return `died: ${String(error).split('\n').at(-2)?.slice(0, 100)}`;
  }
}
