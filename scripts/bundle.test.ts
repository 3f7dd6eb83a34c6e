import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from './bundle.ts';

/** Bytes. A budget is raised by who can say what for. */
const BUDGETS = {
  'apiserver-function-url': 3.6e6,
  'apiserver-rest': 3.6e6,
  'apiserver-server': 3.6e6,
} as const;

/** What no API server loads before it is needed. */
const LAZY = [
  /@aws-sdk\/client-(kms|sts|lambda)\//,
  /^lib\/api\/descriptions\//,
  /^lib\/audit\/(policy|evaluate)\.ts$/,
  /^lib\/controllers\/(?!bootstrap|rbac-bootstrap|certificates|replicaset)/,
  /^adapters\/(sqlite|kms|audit-log)\//,
  /^local\//,
  /node_modules\/(commander|@kubernetes|@peculiar|reflect-metadata)\//,
  /node_modules\/zod\/v4\/classic\//,
];
const ENV = {
  DAVIT_TABLE: 'davit',
  DAVIT_CLUSTER_ID: 'prod',
  DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
};

/** What is loaded when the entry is, by chains of imports that are not dynamic. */
function loadedAtInit({ inputs, outputs }: Metafile): string[] {
  const entry = Object.values(outputs)[0]?.entryPoint ?? '';
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const { path, kind, external } of inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import' && external !== true) seen.add(path);
  }
  return [...seen];
}

describe.each(Object.entries(BUDGETS))('the bundle %s', (name, budget) => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-bundle-'));
  let metafile: Metafile;
  beforeAll(() => void (metafile = bundle(name, folder)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is within its budget', () => {
    expect(statSync(join(folder, 'index.js')).size).toBeLessThan(budget);
  });

  test('loads nothing at first that few requests need', () => {
    const loaded = loadedAtInit(metafile);
    expect(loaded.length).toBeGreaterThan(500);
    expect(loaded.filter((file) => LAZY.some((pattern) => pattern.test(file)))).toEqual([]);
  });

  test.skipIf(name === 'apiserver-server')('initializes without a request, a database or HTTP/2', () => {
    const code = `globalThis.awslambda = { streamifyResponse: (handler) => handler };
      require(${JSON.stringify(folder)});
      console.log(process.moduleLoadList.filter((name) => /NativeModule (sqlite|http2|child_process|worker_threads)$/.test(name)).join());`;
    expect(run(code, ENV)).toBe('');
  });

  test.skipIf(name === 'apiserver-server')('is told by one line what its environment lacks', () => {
    const code = `globalThis.awslambda = { streamifyResponse: (handler) => handler };
      try { require(${JSON.stringify(folder)}); } catch (error) { console.log(error.message); }`;
    expect(run(code, { ...ENV, DAVIT_TABLE: '' })).toBe('DAVIT_TABLE: must not be empty');
  });
});

const run = (code: string, env: Record<string, string>): string =>
  execFileSync(process.execPath, ['-e', code], { env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' }).trim();
