import { isAscii } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from './bundle.ts';

/** The maximum size in bytes of the whole bundle, and of the part that is read before the first request. Raise one only with a reason. */
const BUDGETS = {
  'apiserver-function-url': { all: 3.67e6, first: 2.95e6 }, // aggregation: 25 KB; number literals: 4 KB; budgets of validation, bounds of floods: 12 KB
  'apiserver-rest': { all: 3.67e6, first: 2.95e6 },
  'apiserver-server': { all: 4.05e6, first: 2.95e6 }, // signs the client certificate for kubelets; rates, polls, log lines; channels and users' streams via a gateway; aggregation, streams of functions
  channel: { all: 0.65e6, first: 0.65e6 }, // forwards messages in 128 MB
  'metrics-server': { all: 3.9e6, first: 3.2e6 },
  stream: { all: 2.2e6, first: 1.95e6 },
  reconcilers: { all: 4.59e6, first: 3.8e6 }, // the event correlator and upstream's warnings: 14 KB; attaches volumes: 18 KB; merges OpenAPI v2 of aggregated servers; joins many managers of fields: 1 KB; events of more controllers: 4 KB
  scheduler: { all: 4.03e6, first: 3.1e6 }, // keeps results of filters and scores: 9 KB; series of events: 5 KB; sends to its queue: 49 KB of the SDK; reaches pods via a gateway on demand; merges OpenAPI v2
} as const;
type Name = keyof typeof BUDGETS;

/** Modules that an API server loads on demand or never. */
const LAZY_OF_APISERVERS = [
  /@aws-sdk\/client-(kms|sts|lambda)\//,
  /^lib\/api\/descriptions\//,
  /^lib\/server\/audit\/(policy|evaluate)\.ts$/,
  /^lib\/controllers\/(?!bootstrap|rbac-bootstrap|certificates|replicaset)/,
  /^adapters\/(server\/(sqlite|audit-log)|aws\/kms\/key-management)/,
  /^local\//,
  /node_modules\/(commander|@kubernetes|@peculiar|reflect-metadata)\//,
  /node_modules\/zod\/v4\/classic\//,
];
/** Modules that a bundle loads on demand or never. */
const LAZY: Readonly<Record<Name, readonly RegExp[]>> = {
  'apiserver-function-url': LAZY_OF_APISERVERS,
  'apiserver-rest': LAZY_OF_APISERVERS,
  'apiserver-server': LAZY_OF_APISERVERS,
  channel: [
    /^lib\/(server\/(endpoints|registry|authorization|admission)|controllers|api)\//,
    /^(local|functions\/apiserver|adapters\/(server\/(sqlite|http|webhook)|aws\/lambda))\//,
    /node_modules\/(commander|@kubernetes|@peculiar|reflect-metadata)\//,
    /node_modules\/zod\/v4\/classic\//,
  ],
  'metrics-server': LAZY_OF_APISERVERS.filter((pattern) => !pattern.source.includes('classic')), // it decodes invocations
  stream: [
    /^lib\/server\/(endpoints|authentication|authorization|admission\/plugins)\//,
    /^lib\/controllers\/(?!first-hop|heartbeat|reminders|workload\/|[^/]+\/decide\.ts)/, // it needs the objects that a change concerns, but no reconciler
    /^(local|functions\/apiserver|adapters\/(server\/(sqlite|http|webhook)|aws\/lambda))\//,
  ],
  reconcilers: [
    /^(local\/|adapters\/(server\/(sqlite|http|audit-log)|aws\/(lambda|kms\/key-management)))/,
    /^lib\/api\/descriptions\//,
    /node_modules\/commander\//,
  ],
  scheduler: [
    /^(local\/|adapters\/(server\/(sqlite|http|audit-log)|aws\/(lambda|kms\/key-management|sqs|eventbridge)))/,
    /^lib\/api\/descriptions\//,
    /^lib\/controllers\/(?!bootstrap|rbac-bootstrap|certificates|replicaset|workload\/|taint-eviction\/decide)/,
    /node_modules\/commander\//,
  ],
};
const QUEUE = 'https://sqs.eu-west-1.amazonaws.com/123456789012/requests';
const ENV = {
  DAVIT_TABLE: 'davit',
  DAVIT_CLUSTER_ID: 'prod',
  DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
  DAVIT_ENDPOINT: 'https://davit.example.com',
  DAVIT_QUEUE_URL: `${QUEUE}.fifo`,
  DAVIT_LATER_QUEUE_URL: QUEUE,
  DAVIT_DLQ_URL: QUEUE,
  DAVIT_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:123456789012:scheduler.fifo',
  DAVIT_QUEUE_GROUP: 'scheduler',
  DAVIT_SCHEDULE_ROLE: 'arn:aws:iam::123456789012:role/Schedules',
  DAVIT_SCHEDULE_GROUP: 'davit',
  DAVIT_METRIC_RESOLUTION: '60s',
  AWS_REGION: 'eu-west-1',
};
const NAMES = Object.keys(BUDGETS) as Name[];

/** The files that are read together with the entry, through static imports. */
function readAtInit({ outputs }: Metafile): Metafile['outputs'][string][] {
  const seen = new Set(Object.keys(outputs).filter((file) => basename(file) === 'index.js'));
  for (const file of seen)
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import' && external !== true) seen.add(path);
  return [...seen].flatMap((file) => outputs[file] ?? []);
}

const bytesOf = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

describe.each(NAMES)('the bundle %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-bundle-'));
  let metafile: Metafile;
  beforeAll(() => void (metafile = bundle(name, folder)), 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is within its budget', () => {
    expect(bytesOf(Object.values(metafile.outputs))).toBeLessThan(BUDGETS[name].all);
    expect(bytesOf(readAtInit(metafile))).toBeLessThan(BUDGETS[name].first);
  });

  test('is stored by V8 with one byte per character', () => {
    for (const file of globSync('*.js', { cwd: folder }))
      expect([file, isAscii(readFileSync(join(folder, file)))]).toEqual([file, true]);
  });

  test('loads modules on demand that only few requests need', () => {
    const loaded = readAtInit(metafile).flatMap(({ inputs }) => Object.keys(inputs));
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded.filter((file) => LAZY[name].some((pattern) => pattern.test(file)))).toEqual([]);
  });

  if (name === 'apiserver-server') return; // a program, not a function

  test('initializes without a request, a database or HTTP/2', () => {
    const code = `globalThis.awslambda = { streamifyResponse: (handler) => handler };
      require(${JSON.stringify(folder)});
      console.log(process.moduleLoadList.filter((name) => /NativeModule (sqlite|http2|child_process|worker_threads)$/.test(name)).join());`;
    expect(run(code, ENV)).toBe('');
  });

  if (name !== 'stream' && name !== 'channel')
    test('reports a missing variable in one line', () => {
      const code = `globalThis.awslambda = { streamifyResponse: (handler) => handler };
      try { require(${JSON.stringify(folder)}); } catch (error) { console.log(error.message); }`;
      expect(run(code, { ...ENV, DAVIT_TABLE: '' })).toBe('DAVIT_TABLE: must not be empty');
    });
});

const run = (code: string, env: Record<string, string>, ...flags: string[]): string =>
  execFileSync(process.execPath, [...flags, '-e', code], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  }).trim();
