import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { defineConversion } from '#lib/sdk/webhook-sdk/define-conversion.ts';
import { defineValidating } from '#lib/sdk/webhook-sdk/define-validating.ts';
import { sampledb } from '../../examples/sampledb/sampledb.ts';
import { manifestsOf } from './manifests.ts';

const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
const check = defineValidating({ name: 'check', rules }, () => undefined);
const convert = defineConversion({ name: 'versions', definition: 'sites.example.com' }, (object) => object);

test('webhooks get a Service, a certificate and their configurations, but none if they are not served', () => {
  const flags = { file: 'sites.ts', namespace: 'team', name: 'sites' };
  const declared = { reconcilers: [], webhooks: [check.declaration, convert.declaration] };
  expect(() => manifestsOf(declared, flags)).toThrow('declares no reconciler');
  const objects = parseAllDocuments(manifestsOf(declared, { ...flags, image: 'sites:1' })).map((one) => one.toJS());
  expect(objects.slice(-6)).toMatchObject([
    { kind: 'Deployment', spec: { template: { spec: { volumes: [{ secret: { secretName: 'sites-webhooks' } }] } } } },
    { kind: 'Service', metadata: { namespace: 'team', name: 'sites' }, spec: { ports: [{ port: 443 }] } },
    { kind: 'Issuer' },
    {
      kind: 'Certificate',
      spec: { secretName: 'sites-webhooks', dnsNames: ['sites.team.svc', 'sites.team.svc.cluster.local'] },
    },
    {
      kind: 'ValidatingWebhookConfiguration',
      metadata: { annotations: { 'cert-manager.io/inject-ca-from': 'team/sites-webhooks' } },
      webhooks: [{ clientConfig: { service: { namespace: 'team', name: 'sites', path: '/check' } } }],
    },
    { kind: 'CustomResourceDefinition', metadata: { name: 'sites.example.com' } },
  ]);
});

test("the example's deploy.yaml matches its declaration", () => {
  const image = 'registry.example.com/sampledb-operator:1';
  const manifests = manifestsOf(
    { reconcilers: [sampledb.declaration], webhooks: [] },
    { file: 'sampledb.ts', namespace: 'sampledb-system', image },
  );
  const example = join(import.meta.dirname, '../../examples/sampledb/deploy.yaml');
  expect(readFileSync(example, 'utf8')).toBe(manifests);
});
