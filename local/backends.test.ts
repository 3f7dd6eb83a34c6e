import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { AuditFlags } from '#lib/server/options/audit.ts';
import { backendsConformance } from '#test/support/backends/backends.conformance.ts';
import { PODS, textOf, withPort } from '#test/support/backends/bench.ts';
import { requester } from '#test/support/requester.ts';
import { auditFlags, auditOf } from './flags/audit.ts';
import { startApiserver } from './start-apiserver.ts';

backendsConformance('the local server', async (kubelet) => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-backends-'));
  const policy = join(folder, 'policy.yaml');
  const auditLog = join(folder, 'audit.log');
  await writeFile(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n');
  const flags = ['--audit-policy-file', policy, '--audit-log-path', auditLog, '--audit-log-mode', 'blocking'];
  const audit = await auditOf(auditFlags(new Command()).parse(flags, { from: 'user' }).opts<AuditFlags>());
  const faults: unknown[] = [];
  const reportFault = (_: string, error: unknown): void => void faults.push(error);
  const server = await startApiserver({ controllers: false, kubelet, reportFault, ...audit });
  return { ...server, faults, auditLog: () => readFile(auditLog, 'utf8') };
});

test('rejects a node that names the API server as its kubelet', async () => {
  await using own = await startApiserver({ controllers: false });
  const ask = requester(own);
  const status = withPort(own.port) as JsonObject;
  const answers = [
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } }),
    await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }),
    await ask('POST', '/api/v1/nodes', { metadata: { name: 'n' }, status }),
    await ask('POST', PODS, {
      metadata: { name: 'p' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    }),
  ];
  expect(answers.map(({ status: code }) => code)).toEqual([201, 201, 201, 201]);
  const query = 'insecureSkipTLSVerifyBackend=true';
  expect(textOf(await ask('GET', `${PODS}/p/log?${query}`))).toContain(': this is the API server itself');
});
