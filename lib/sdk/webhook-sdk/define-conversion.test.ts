import { expect, test } from 'vitest';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { defineConversion } from './define-conversion.ts';
import { denied } from './denied.ts';

interface SiteV1beta1 extends KubernetesObject {
  readonly spec: { readonly host: string };
}
interface Site extends KubernetesObject {
  readonly spec: { readonly hosts: readonly string[] };
}
const SITE_V1BETA1: Kind<SiteV1beta1> = { apiVersion: 'example.com/v1beta1', kind: 'Site' };
const SITE: Kind<Site> = { apiVersion: 'example.com/v1', kind: 'Site' };

const sites = defineConversion<SiteV1beta1, Site>(
  { name: 'sites', definition: 'sites.example.com' },
  {
    from: SITE_V1BETA1,
    to: SITE,
    convertTo: ({ spec, ...site }) => ({ ...site, spec: { hosts: [spec.host] } }),
    convertFrom: ({ spec, ...site }) => {
      const [host, ...others] = spec.hosts;
      if (host === undefined || others.length > 0) throw denied('v1beta1 has one host');
      return { ...site, spec: { host } };
    },
  },
);

async function convert(desired: string, ...objects: JsonObject[]): Promise<JsonObject> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const request = { uid: '1', desiredAPIVersion: desired, objects };
  const review = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
  const { response } = await sites.respond(review, { log, signal: new AbortController().signal });
  return response as JsonObject;
}
const site = (version: string, spec: JsonObject): JsonObject => ({
  apiVersion: `example.com/${version}`,
  kind: 'Site',
  metadata: { name: 'a', uid: '7' },
  spec,
});

test('converts objects between the two versions, in both directions', async () => {
  const [old, young] = [site('v1beta1', { host: 'a' }), site('v1', { hosts: ['a'] })];
  const success = { uid: '1', result: { status: 'Success' } };
  expect(await convert('example.com/v1', old, old)).toEqual({ ...success, convertedObjects: [young, young] });
  expect(await convert('example.com/v1beta1', young)).toEqual({ ...success, convertedObjects: [old] });
});

test.each([
  ['example.com/v1beta1', site('v1', { hosts: ['a', 'b'] }), 'v1beta1 has one host'],
  ['example.com/v2', site('v1', { hosts: ['a'] }), 'no conversion of Site from example.com/v1 to example.com/v2'],
  ['example.com/v1', site('v1alpha1', {}), 'no conversion of Site from example.com/v1alpha1 to example.com/v1'],
])('rejects a conversion to %s with a message', async (desired, object, message) => {
  const result = { status: 'Failure', message };
  expect(await convert(desired, object)).toEqual({ uid: '1', convertedObjects: [], result });
});
