import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configOf as apiserver } from '#functions/apiserver/config.ts';
import { configOf as channel } from '#functions/channel/config.ts';
import { configOf as reconcilers } from '#functions/reconcilers/config.ts';
import { configOf as stream } from '#functions/stream/config.ts';
import { reconcilerRole } from '#lib/client/controller/function-names.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { rangesText } from '#lib/controllers/node-ipam/ranges.ts';
import { FRONT_DOORS } from '../context.ts';
import { CLIENT_AUTHORITY, templateOf } from '../testing.ts';

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b';
const CLIENTS = { domain: 'api.example.com', certificate, clientAuthority: CLIENT_AUTHORITY };

const ROLES = 'arn:aws:iam::123456789012:role/davit-';

/** The environment of the only function whose id has this prefix, with placeholders for values known only at deployment. */
function environmentOf(
  context: Readonly<Record<string, unknown>>,
  prefix: string,
  variable = 'DAVIT_TABLE',
): Readonly<Record<string, string>> {
  const { Resources } = templateOf(context).toJSON() as {
    Resources: Readonly<Record<string, { Properties: unknown }>>;
  };
  const found = Object.entries(Resources).find(
    ([id, resource]) => id.startsWith(prefix) && JSON.stringify(resource).includes(variable),
  );
  return Object.fromEntries(
    variablesIn(found?.[1].Properties, variable).map(([name, value]) => [name, known(name, value)]),
  );
}

/** The values of a variable in the environments of functions, web functions and containers. */
function variablesIn(value: unknown, variable: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    const pairs = value as readonly { readonly Name?: string; readonly Value?: unknown }[];
    if (pairs.some(({ Name }) => Name === variable)) return pairs.map(({ Name = '', Value }) => [Name, Value]);
    return value.flatMap((one) => variablesIn(one, variable));
  }
  if (typeof value !== 'object' || value === null) return [];
  return variable in value ? Object.entries(value) : Object.values(value).flatMap((one) => variablesIn(one, variable));
}

function known(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (name === 'DAVIT_ENDPOINT') return 'https://made.example.com';
  if (name === 'DAVIT_CHANNEL_URL') return 'wss://made.example.com/davit';
  if (name.endsWith('_URL')) return `https://sqs.example.com/${name}.fifo`;
  if (name === 'DAVIT_RECONCILER_ROLES') return ROLES;
  return name === 'DAVIT_ORIGIN_SECRET' ? 'x'.repeat(48) : `arn:aws:made:::${name}`;
}

describe('functions read the variables that the template sets', () => {
  const contexts = FRONT_DOORS.flatMap((frontDoor) => [{ frontDoor }, { frontDoor, ...CLIENTS }]);

  test.each(contexts)('configures the API server: %j', (context) => {
    const config = apiserver(environmentOf(context, 'Api'));
    const behindEdge = context.frontDoor === 'container' || ('domain' in context && context.frontDoor !== 'rest');
    const isOfOneRequest = ['function-url', 'rest'].includes(context.frontDoor);
    expect(config).toMatchObject({
      frontDoor: context.frontDoor,
      clusterId: 'davit',
      kmsKey: expect.stringContaining('arn:'),
      ...(behindEdge ? { idleSeconds: 60 } : {}),
      originSecret: behindEdge && 'domain' in context ? expect.any(String) : undefined,
      watchSlots: isOfOneRequest ? 60 : undefined,
      requestsPerSecond: isOfOneRequest ? 50 : undefined,
    });
  });

  test('configures the relay, and gives functions that call or notify nodes the same URL', () => {
    const { gateway, table } = channel(environmentOf({ nodes: true }, 'ChannelFunction'));
    expect([gateway.endpoint, table]).toEqual(['https://made.example.com/davit', expect.any(String)]);
    expect(stream(environmentOf({ nodes: true }, 'Doorbell')).gateway?.url).toBe(gateway.url);
    for (const prefix of ['Api', 'Scheduler', 'Reconcilers']) {
      expect(apiserver(environmentOf({ nodes: true }, prefix)).gateway?.url).toBe(gateway.url);
      expect(environmentOf({}, prefix)['DAVIT_CHANNEL_URL']).toBeUndefined();
    }
    expect(stream(environmentOf({}, 'Doorbell')).gateway).toBeUndefined();
  });

  test('configures the access to kubelets', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'davit-infra-'));
    const { certificate: pem } = await newSigner(new Date());
    writeFileSync(join(folder, 'ca.pem'), pem);
    writeFileSync(join(folder, 'none.pem'), 'no certificate');
    const network = { frontDoor: 'container', nodeCidrs: '10.1.0.0/16' };
    const routed = { ...network, kubeletAddressTypes: 'InternalIP,Hostname', kubeletTimeout: '1m30s' };
    expect(apiserver(environmentOf({ frontDoor: 'container' }, 'Api')).kubelets).toBeUndefined();
    const { kubelets } = apiserver(environmentOf({ ...routed, kubeletAuthority: join(folder, 'ca.pem') }, 'Api'));
    expect(kubelets).toMatchObject({
      caBundle: pem,
      preferredAddressTypes: ['InternalIP', 'Hostname'],
      timeout: 90_000,
    });
    expect(apiserver(environmentOf(network, 'Api')).kubelets?.timeout).toBe(5_000);
    expect(() => templateOf({ ...routed, kubeletAuthority: join(folder, 'none.pem') })).toThrow(
      /^context kubeletAuthority: .*none\.pem: /,
    );
    rmSync(folder, { recursive: true });
  });

  test('configures the function of the stream', () => {
    expect(stream(environmentOf({ publish: 'leases,events' }, 'Doorbell'))).toMatchObject({
      clusterId: 'davit',
      kmsKey: expect.stringContaining('arn:'),
      publish: ['leases', 'events'],
    });
  });

  test("gives the API server the reconciler's role, and the reconciler its queues and name", () => {
    const functions = join(import.meta.dirname, '../../test/support/fixtures/functions');
    expect(apiserver(environmentOf({ functions }, 'Api')).reconcilerRoles).toEqual([
      { arn: reconcilerRole(ROLES, 'sites'), name: 'sites' },
    ]);
    const environment = environmentOf({ functions }, 'Reconcilersites', 'DAVIT_FUNCTION');
    expect(environment).toMatchObject({ DAVIT_FUNCTION: 'sites', DAVIT_CLUSTER_ID: 'davit' });
    expect(reconcilers(environment)).toMatchObject({
      queueUrl: expect.stringContaining('.fifo'),
      schedules: { group: expect.any(String) },
    });
  });

  test.each(contexts)('configures the reconcilers: %j', (context) => {
    const environment = environmentOf(context, 'Reconcilers');
    expect(reconcilers(environment)).toMatchObject({
      endpoint: 'domain' in context ? 'https://api.example.com' : 'https://made.example.com',
      schedules: { queueArn: expect.stringContaining('arn:'), roleArn: expect.stringContaining('arn:') },
    });
    expect(apiserver(environment)).toMatchObject({ clusterId: 'davit', kmsKey: expect.stringContaining('arn:') });
  });

  test.each([
    [undefined, ['*']],
    ['*,-job-controller', ['*', '-job-controller']],
    [
      ['namespace-controller', 'job-controller'],
      ['namespace-controller', 'job-controller'],
    ],
  ])('configures the controllers %j', (controllers, expected) => {
    const context = controllers === undefined ? {} : { controllers };
    expect(reconcilers(environmentOf(context, 'Reconcilers')).controllers).toEqual(expected);
  });

  test('configures the grace period after which a node is lost', () => {
    const period = (context: Readonly<Record<string, unknown>>) =>
      reconcilers(environmentOf(context, 'Reconcilers')).nodeMonitorGracePeriod;
    expect([period({}), period({ nodeMonitorGracePeriod: '50s' })]).toEqual([300_000, 50_000]);
  });

  test('configures the ranges of nodes, and none by default', () => {
    const context = { allocateNodeCidrs: 'true', clusterCidr: '10.244.0.0/16,fd00::/48', nodeCidrMaskSizeIpv4: '20' };
    const { nodeRanges = [] } = reconcilers(environmentOf(context, 'Reconcilers'));
    expect(rangesText(nodeRanges)).toBe('10.244.0.0/16=20,fd00::/48=64');
    expect(reconcilers(environmentOf({}, 'Reconcilers')).nodeRanges).toBeUndefined();
  });

  test.each([
    [{ clusterCidr: '10.244.0.0/16' }, /^context clusterCidr needs allocateNodeCidrs$/],
    [{ nodeCidrMaskSize: 20 }, /^context nodeCidrMaskSize needs allocateNodeCidrs$/],
    [{ allocateNodeCidrs: true }, /^context clusterCidr: it has to be given with context allocateNodeCidrs$/],
    [{ allocateNodeCidrs: true, clusterCidr: 'x' }, /^context clusterCidr: x is no network$/],
    [
      { allocateNodeCidrs: true, clusterCidr: '10.0.0.0/4' },
      /^context nodeCidrMaskSize: 24 does not suit 10\.0\.0\.0\/4/,
    ],
    [{ nodeCidrMaskSize: 129 }, /^context nodeCidrMaskSize is a number from 0 to 128; it was 129$/],
  ])('ranges that nodes cannot have fail the synthesis with one line: %j', (context, line) => {
    expect(() => templateOf(context)).toThrow(expect.objectContaining({ message: expect.stringMatching(line) }));
  });

  test('an unknown controller fails the synthesis with one line', () => {
    expect(() => templateOf({ controllers: '*,-route' })).toThrow(
      /^context controllers: "route" is not in the list of known controllers$/,
    );
  });
});
