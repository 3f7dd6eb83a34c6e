import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Environment } from '#test/support/lambda/environment.ts';
import { installRuntimeClient } from '#test/support/lambda/install.ts';
import { bundleUsers } from '../../../infra/bundle/bundle.ts';

const runtime = await installRuntimeClient();
if ('missing' in runtime) console.warn(`a function with a fault beside its answers skips: ${runtime.missing}`);
const folder = mkdtempSync(join(tmpdir(), 'davit-outlived-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = `
import { defineValidating } from '@davit-dev/davit/webhook';
const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
export const faulty = defineValidating({ name: 'faulty', rules }, async () => {
  Promise.reject(new Error('a lost promise'));
  const { promise, resolve } = Promise.withResolvers();
  setTimeout(() => { resolve(); throw new Error('a lost timer'); });
  await promise;
});
`;

const REVIEW = {
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: '1',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    operation: 'CREATE',
    userInfo: {},
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
  },
};

test.skipIf('missing' in runtime)("an unhandled error does not end a function's environment", async () => {
  if ('missing' in runtime) throw new Error('skipped');
  const file = join(folder, 'faulty.ts');
  const bundle = join(folder, 'bundle');
  writeFileSync(file, SOURCE);
  bundleUsers(file, bundle);
  const env = { DAVIT_FUNCTION: 'faulty' };
  const environment = await Environment.start({ runtime: runtime.path, bundle, env, timeout: 30_000 });
  try {
    for (const uid of ['1', '2']) {
      const exchange = environment.invoke({ ...REVIEW, request: { ...REVIEW.request, uid } });
      expect(await exchange.json()).toMatchObject({ response: { uid, allowed: true } });
    }
  } finally {
    await environment.stop();
  }
});
