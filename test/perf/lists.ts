import { execFile } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const MEMORY = 512;
/** Of a processor: what Lambda gives to a function of 512 MB. */
const SHARE = 0.29;
const OBJECTS = 100_000;
const MAPS = '/api/v1/namespaces/ns/configmaps';
const FORMS: readonly (readonly [string, string, string])[] = [
  ['JSON', MAPS, 'application/json'],
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

/** Measures lists of 100,000 objects in a process with a function's memory and share of a processor, in a cgroup. Prints it. */
export async function measureLists(): Promise<void> {
  const groups = ['memory', 'cpu'].map((name) => `/sys/fs/cgroup/${name}/davit-lists-${process.pid}`);
  const [memory = '', cpu = ''] = groups;
  try {
    for (const group of groups) mkdirSync(group);
    writeFileSync(`${memory}/memory.limit_in_bytes`, String(MEMORY * 2 ** 20));
    writeFileSync(`${cpu}/cpu.cfs_period_us`, '100000');
    writeFileSync(`${cpu}/cpu.cfs_quota_us`, String(Math.round(SHARE * 100_000)));
  } catch (error) {
    return console.log(`skipped, for it needs root and cgroups of version 1: ${String(error)}`);
  }
  console.log(
    'list | bytes | status | requests | MB | processor time to the first byte | in all | memory at most, MiB',
  );
  for (const bytes of [1_000, 5_000]) {
    for (const [what, path, accept] of FORMS) {
      console.log(`${what} | ${bytes} | ${await measured([path, accept, String(bytes)], groups)}`);
    }
  }
  for (const group of groups) rmdirSync(group);
}

async function measured(list: readonly string[], groups: readonly string[]): Promise<string> {
  const flags = ['--max-old-space-size=460', '--max-semi-space-size=25'];
  const server = new URL('list-server.ts', import.meta.url).pathname;
  const args = [...flags, server, ...list, String(OBJECTS), String(MEMORY), ...groups];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const told: Readonly<Record<string, number>> = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
    const { status, requests, megabytes = 0, first = 0, seconds = 0, maxRSS = 0 } = told;
    return `${status} | ${requests} | ${megabytes.toFixed(0)} | ${first.toFixed(2)} s | ${seconds.toFixed(1)} s | ${maxRSS.toFixed(0)}`;
  } catch (error) {
    return `died: ${String(error).split('\n').at(-2)?.slice(0, 100)}`;
  }
}
