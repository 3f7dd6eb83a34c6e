import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import { eventually } from '#test/support/eventually.ts';
import { startApiserver } from '../start-apiserver.ts';

interface Told extends KubernetesObject {
  readonly regarding: { readonly name: string };
  readonly note: string;
}
const EVENT: Kind<Told> = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };
const NEIGHBOURS = Array.from({ length: 9 }, (_, i) => `n${i}`);

/** Reconciling `sleeps` and `loops` never finishes; all other objects take a moment. A webhook runs in the same file. */
const FUNCTION = `
import { defineReconciler } from '@davit-dev/davit/controller';
import { defineValidating } from '@davit-dev/davit/webhook';
export const probe = defineReconciler(
  { name: 'probe', for: { apiVersion: 'v1', kind: 'ConfigMap' }, predicates: { namespaces: ['default'] } },
  async ({ name }, { log }) => {
    if (name === 'sleeps') return new Promise(() => {});
    for (; name === 'loops'; );
    await new Promise((resolve) => setTimeout(resolve, 100));
    log.info('done ' + name);
  },
);
const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];
export const kind = defineValidating({ name: 'kind', rules }, () => undefined);
`;

test.each(['sleeps', 'loops'])('only an object that %s fails, and the failure names it', async (hung) => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-hung-'));
  const lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  const keep = (message: string, fields = {}): void => void lines.push({ message, fields });
  const server = await startApiserver({
    functionsFolder: folder,
    functionLimits: { timeout: 2000, memory: 128 },
    log: { info: keep, error: keep },
  });
  try {
    const at = (name: string): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name },
    });
    for (const name of [...NEIGHBOURS.slice(0, 4), hung, ...NEIGHBOURS.slice(4)]) await server.client.create(at(name));
    writeFileSync(join(folder, 'probe.ts'), FUNCTION);
    const events = await eventually(async () => {
      const found = (await server.client.list(EVENT)).filter(({ note }) => note.startsWith('probe was not done'));
      expect(found).not.toEqual([]);
      return found;
    });
    expect(new Set(events.map(({ regarding }) => regarding.name))).toEqual(new Set([hung]));
    expect(events[0]?.note).toContain(`not done after 2000 ms with default/${hung}`);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 's' } };
    await server.client.create(secret); // the webhook responds while the reconciler hangs
    await eventually(() => {
      for (const name of NEIGHBOURS) expect(lines.map(({ message }) => message)).toContain(`done ${name}`);
    });
    const failed = lines.filter(({ message, fields }) => message.includes('probe') && fields['name'] !== undefined);
    expect(new Set(failed.map(({ fields }) => fields['name']))).toEqual(new Set([hung]));
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
