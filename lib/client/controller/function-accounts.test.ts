import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { parseDeclaration } from './declaration.ts';
import { functionAccounts } from './function-accounts.ts';

test('serializes concurrent calls, even after a failure', async () => {
  const steps: string[] = [];
  let isBroken = true;
  const step = async (name: string): Promise<void> => {
    steps.push(name);
    await Promise.resolve();
  };
  const client = {
    document: async () => ({ items: [] }),
    async apply(_: unknown, object: { readonly kind: string }) {
      await step(object.kind);
      if (isBroken && object.kind === 'ClusterRole') throw new Error('no room');
    },
    list: async () => (await step('list'), []),
  } as unknown as Client;
  const declarations = () => [parseDeclaration({ name: 'sites', for: { apiVersion: 'v1', kind: 'Secret' } })];
  const { reconcile } = functionAccounts({ client, declarations });
  const failed = reconcile('').catch((error: unknown) => {
    isBroken = false;
    return error;
  });
  const all = await Promise.all([failed, reconcile('')]);
  expect(all).toEqual([new Error('no room'), undefined]);
  const applied = ['Namespace', 'ServiceAccount', 'ClusterRole'];
  expect(steps).toEqual([...applied, ...applied, 'ClusterRoleBinding', 'list', 'list', 'list']);
});
