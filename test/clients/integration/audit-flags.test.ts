import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditFlags } from '#lib/server/options/audit.ts';
import { auditFlags, auditOf } from '#local/flags/audit.ts';

let folder: string;
let policy: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-audit-'));
  policy = await file('policy.yaml', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
});
afterAll(() => rm(folder, { recursive: true }));

const parsed = (...args: string[]): AuditFlags =>
  auditFlags(new Command()).parse(args, { from: 'user' }).opts<AuditFlags>();

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

test('no event is audited without a policy', async () => {
  expect(await auditOf(parsed('--audit-log-path=-'))).toEqual({});
});

test('a log as upstream keeps it', async () => {
  const { audit } = await auditOf(parsed('--audit-policy-file', policy, '--audit-log-path', '/var/log/audit.log'));
  expect(audit?.policy.rules).toHaveLength(1);
  expect(audit?.log).toEqual({
    path: '/var/log/audit.log',
    maxAge: 366,
    maxBackups: 100,
    maxSize: 100,
    compress: false,
    format: 'json',
    mode: 'blocking',
    batch: { bufferSize: 10_000, maxBatchSize: 1, maxBatchWait: 0, overlaps: false },
  });
});

test('a webhook as upstream asks it, and otherwise', async () => {
  const config = await file(
    'webhook.yaml',
    'clusters: [{name: a, cluster: {server: "https://127.0.0.1:1/audit"}}]\nusers: [{name: a, user: {token: t}}]\n',
  );
  const flags = ['--audit-policy-file', policy, '--audit-webhook-config-file', config];
  const { audit: plain } = await auditOf(parsed(...flags));
  expect(plain?.webhook).toMatchObject({
    config: { url: 'https://127.0.0.1:1/audit' },
    initialBackoff: 10_000,
    mode: 'batch',
    batch: { maxBatchSize: 400, maxBatchWait: 30_000, throttle: { qps: 10, burst: 15 }, overlaps: true },
  });
  const more = ['--audit-webhook-batch-max-wait=1s', '--audit-webhook-batch-throttle-enable=false'];
  const { audit } = await auditOf(parsed(...flags, ...more, '--audit-webhook-truncate-enabled'));
  expect(audit?.webhook).toMatchObject({ batch: { maxBatchWait: 1000 }, truncate: { maxEventSize: 102_400 } });
  expect(audit?.webhook?.batch).not.toHaveProperty('throttle');
});

describe('a start with invalid flags fails', () => {
  test.each([
    [['--audit-log-mode=fast'], 'invalid audit log mode fast'],
    [['--audit-log-format=xml'], 'invalid audit log format xml'],
    [['--audit-log-maxsize=-1'], "--audit-log-maxsize -1 can't be a negative number"],
    [['--audit-log-maxage=old'], '"old" is no number'],
    [['--audit-log-compress=maybe'], '"maybe" is neither true nor false'],
    [['--audit-log-version=audit.k8s.io/v1beta1'], 'invalid group version, allowed versions are ["audit.k8s.io/v1"]'],
    [['--audit-webhook-config-file=/nowhere'], '/nowhere'],
    [['--audit-policy-file=/nowhere'], '/nowhere'],
  ])('in one line: %s', async (args, message) => {
    await expect(auditOf(parsed('--audit-log-path=-', ...args))).rejects.toThrow(message);
  });

  test('rejects an invalid policy', async () => {
    const path = await file('none.yaml', 'apiVersion: audit.k8s.io/v1\nkind: Policy\n');
    await expect(auditOf(parsed('--audit-policy-file', path))).rejects.toThrow(
      `loading audit policy file: loaded illegal policy with 0 rules: from file ${path}`,
    );
  });
});
