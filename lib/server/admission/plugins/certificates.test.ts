import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { certificateApproval } from './certificate-approval.ts';
import { certificateSigning } from './certificate-signing.ts';
import { clusterTrustBundleAttest } from './cluster-trust-bundle-attest.ts';

/** An authorizer that allows only `verb signer`. */
const only =
  (...rights: string[]): Authorizer =>
  async (_, { verb, resource, name }) => ({
    decision: resource === 'signers' && rights.includes(`${verb} ${name}`) ? 'allow' : 'noOpinion',
    reason: '',
  });

function attributes(more: Partial<Attributes>): Attributes {
  const resource = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };
  return {
    operation: 'UPDATE',
    resource,
    subresource: '',
    name: 'one',
    user: { name: 'bob', groups: [] },
    ...more,
  } as Attributes;
}

const request = (status: JsonObject = {}): JsonObject => ({
  metadata: { name: 'one' },
  spec: { signerName: 'acme.org/s' },
  status,
});
const judge = async (plugin: AdmissionPlugin, more: Partial<Attributes>): Promise<void> =>
  plugin.validate?.(attributes(more));

describe.each([
  ['approve', 'approval', certificateApproval, 'user not permitted to approve requests with signerName "acme.org/s"'],
  ['sign', 'status', certificateSigning, 'user not permitted to sign requests with signerName "acme.org/s"'],
] as const)('the right to %s', (verb, subresource, plugin, message) => {
  const change = { subresource, oldObject: request(), object: request({ certificate: 'eA==' }) };

  test.each([[`${verb} acme.org/s`], [`${verb} acme.org/*`]])('is given by %s', async (right) => {
    await judge(plugin(only(right)), change);
  });

  test.each([[`${verb} other.org/*`], [`${verb} *`], ['attest acme.org/s']])('is not given by %s', async (right) => {
    await expect(judge(plugin(only(right)), change)).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining(message),
    });
  });

  test('checks the right for the stored signer, not for the one in the request', async () => {
    const object = { ...request({ certificate: 'eA==' }), spec: { signerName: 'mine.org/s' } };
    await expect(judge(plugin(only(`${verb} mine.org/s`)), { ...change, object })).rejects.toMatchObject({ code: 403 });
  });

  test('requires no right for other changes', async () => {
    await judge(plugin(only()), { ...change, subresource: '' });
  });
});

test('requires no right for a status that changes neither certificate nor conditions', async () => {
  const same = request({ certificate: 'eA==' });
  await judge(certificateSigning(only()), { subresource: 'status', oldObject: same, object: { ...same } });
});

describe('the right to attest', () => {
  const resource = { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'clustertrustbundles' };
  const bundle = (more: JsonObject = {}, signerName = 'acme.org/s'): JsonObject => ({
    metadata: { name: 'one', ...more },
    spec: { signerName, trustBundle: 'x' },
  });

  test.each<[string, Partial<Attributes>, string[], boolean]>([
    ['is needed to create', { operation: 'CREATE', object: bundle() }, [], false],
    ['lets create', { operation: 'CREATE', object: bundle() }, ['attest acme.org/s'], true],
    ['is needed to change', { object: bundle({ labels: { a: 'b' } }), oldObject: bundle() }, [], false],
    [
      'is not needed for what the collector changes',
      { object: bundle({ finalizers: ['a.b/c'] }), oldObject: bundle() },
      [],
      true,
    ],
    ['is not needed without a signer', { operation: 'CREATE', object: bundle({}, '') }, [], true],
  ])('requires the right as expected: %s', async (_, more, rights, allowed) => {
    const judged = judge(clusterTrustBundleAttest(only(...rights)), { resource, ...more });
    if (allowed) await judged;
    else await expect(judged).rejects.toThrow('user not permitted to attest for signerName "acme.org/s"');
  });
});
