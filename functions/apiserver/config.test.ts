import { describe, expect, test } from 'vitest';
import { reconcilerRole } from '#lib/client/controller/function-names.ts';
import { configOf } from './config.ts';

const ENV = {
  DAVIT_TABLE: 'davit',
  DAVIT_CLUSTER_ID: 'prod',
  DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
};

test('accepts only the required variables', () => {
  expect(configOf(ENV)).toEqual({
    table: 'davit',
    frontDoor: 'function-url',
    clusterId: 'prod',
    admin: ENV.DAVIT_ADMIN,
    reconcilerRoles: [],
    reviews: {},
    host: '::',
    port: 8080,
    watchSeconds: 300,
    options: 'apiserver.json',
  });
});

test.each([
  [{}, undefined],
  [{ AWS_SESSION_TOKEN: '' }, undefined],
  [{ AWS_SESSION_TOKEN: 't' }, 't'],
])("reads the URL of node channels, and posts with the function's credentials: %j", (token, sessionToken) => {
  const DAVIT_CHANNEL_URL = 'wss://a.execute-api.eu-west-1.amazonaws.com/davit';
  const { gateway } = configOf({ ...ENV, ...token, DAVIT_CHANNEL_URL });
  expect(gateway?.url).toBe(DAVIT_CHANNEL_URL);
  expect(gateway?.credentials.sessionToken).toBe(sessionToken);
  expect(configOf({ ...ENV, ...token }).gateway).toBeUndefined();
});

test('recognizes the roles of reconcilers by their names', () => {
  const prefix = 'arn:aws:iam::123456789012:role/davit-eu-west-1-0a1b2c3d-';
  const roles = { DAVIT_RECONCILERS: 'sites,pages-of-sites', DAVIT_RECONCILER_ROLES: prefix };
  const { reconcilerRoles } = configOf({ ...ENV, ...roles });
  expect(reconcilerRoles).toEqual([
    { arn: reconcilerRole(prefix, 'sites'), name: 'sites' },
    { arn: reconcilerRole(prefix, 'pages-of-sites'), name: 'pages-of-sites' },
  ]);
  expect(() => configOf({ ...ENV, DAVIT_RECONCILERS: 'a b' })).toThrow('DAVIT_RECONCILERS: must be names');
  expect(() => configOf({ ...ENV, DAVIT_RECONCILER_ROLES: 'a' })).toThrow('DAVIT_RECONCILER_ROLES: must begin an ARN');
});

test('reads the functions for reviews', () => {
  const { reviews } = configOf({ ...ENV, DAVIT_REVIEWS: 'TokenReview=davit-tokens-1,ImagePolicy=davit-images-2' });
  expect(reviews).toEqual({ TokenReview: 'davit-tokens-1', ImagePolicy: 'davit-images-2' });
  expect(() => configOf({ ...ENV, DAVIT_REVIEWS: 'Review=x' })).toThrow('DAVIT_REVIEWS: must be REVIEW=NAME,…');
});

test('a web function listens on its configured address', () => {
  const { host, port } = configOf({ ...ENV, AWS_LAMBDA_HTTP_ENDPOINT: '169.254.1.1:9001', PORT: '1' });
  expect([host, port]).toEqual(['169.254.1.1', 9001]);
});

describe('limits on the duration and silence of watches', () => {
  test.each<[string, Record<string, string>, number | undefined, number | undefined]>([
    ['a function URL', { DAVIT_FRONT_DOOR: 'function-url' }, 300, undefined],
    ['a web function', { DAVIT_FRONT_DOOR: 'web-function' }, 840, undefined],
    ['a REST API', { DAVIT_FRONT_DOOR: 'rest' }, 840, 300],
    ['a container', { DAVIT_FRONT_DOOR: 'container' }, undefined, 60],
    ['behind a distribution', { DAVIT_ORIGIN_SECRET: 'sixteen-letters-or-more' }, 300, 60],
    ['as told', { DAVIT_WATCH_SECONDS: '10', DAVIT_IDLE_SECONDS: '20' }, 10, 20],
  ])('are correct for %s', (_, env, watchSeconds, idleSeconds) => {
    const config = configOf({ ...ENV, ...env });
    expect([config.watchSeconds, config.idleSeconds]).toEqual([watchSeconds, idleSeconds]);
  });
});

describe('an invalid value fails with one clear line', () => {
  test.each<[Record<string, string | undefined>, string]>([
    [{ DAVIT_TABLE: undefined }, 'DAVIT_TABLE: '],
    [{ DAVIT_TABLE: '' }, 'DAVIT_TABLE: '],
    [{ DAVIT_FRONT_DOOR: 'window' }, 'DAVIT_FRONT_DOOR: '],
    [{ DAVIT_ADMIN: 'admin' }, 'DAVIT_ADMIN: must be the ARN of a role or user'],
    [{ DAVIT_ENDPOINT: 'http://plain.example.com' }, 'DAVIT_ENDPOINT: '],
    [{ DAVIT_ORIGIN_SECRET: 'short' }, 'DAVIT_ORIGIN_SECRET: '],
    [{ DAVIT_REQUESTS_PER_SECOND: '0' }, 'DAVIT_REQUESTS_PER_SECOND: '],
    [{ DAVIT_WATCH_SLOTS: '0' }, 'DAVIT_WATCH_SLOTS: '],
    [{ DAVIT_WATCH_SLOTS: 'many' }, 'DAVIT_WATCH_SLOTS: '],
    [{ DAVIT_WATCH_SECONDS: '-1' }, 'DAVIT_WATCH_SECONDS: '],
    [{ PORT: '70000' }, 'PORT: '],
    [{ AWS_LAMBDA_HTTP_ENDPOINT: '9001' }, 'AWS_LAMBDA_HTTP_ENDPOINT: must be host:port'],
  ])('rejects the variables %j in one line', (env, text) => {
    let message = '';
    try {
      configOf({ ...ENV, ...env });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.startsWith(text)).toBe(true);
    expect(message).not.toContain('\n');
  });

  test('names all invalid variables', () => {
    expect(() => configOf({})).toThrow(/DAVIT_TABLE: .*; DAVIT_CLUSTER_ID: .*; DAVIT_ADMIN: /);
  });
});

describe('the settings for kubelets', () => {
  const routed = { ...ENV, DAVIT_FRONT_DOOR: 'container', DAVIT_NODE_ROUTE: 'true' };

  test('have upstream’s defaults if a route exists', () => {
    expect(configOf(routed).kubelets).toEqual({
      client: undefined,
      caBundle: '',
      preferredAddressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
      timeout: 5000,
      ownHost: undefined,
    });
    expect(configOf({ ...ENV, DAVIT_FRONT_DOOR: 'container' }).kubelets).toBeUndefined();
  });

  test('have the configured values', () => {
    const { kubelets } = configOf({
      ...routed,
      DAVIT_KUBELET_CLIENT_CERTIFICATE: 'c',
      DAVIT_KUBELET_CLIENT_KEY: 'k',
      DAVIT_KUBELET_CERTIFICATE_AUTHORITY: 'a',
      DAVIT_KUBELET_PREFERRED_ADDRESS_TYPES: 'InternalIP,Hostname',
      DAVIT_KUBELET_TIMEOUT: '1m30s',
      DAVIT_ENDPOINT: 'https://api.example.com',
    });
    expect(kubelets).toEqual({
      client: { certificate: 'c', key: 'k' },
      caBundle: 'a',
      preferredAddressTypes: ['InternalIP', 'Hostname'],
      timeout: 90_000,
      ownHost: 'api.example.com',
    });
  });

  test.each<[Record<string, string>, string]>([
    [{ DAVIT_FRONT_DOOR: 'rest' }, 'DAVIT_NODE_ROUTE: is of no use with DAVIT_FRONT_DOOR=rest'],
    [{ DAVIT_NODE_ROUTE: 'yes' }, 'DAVIT_NODE_ROUTE: must be true or false'],
    [{ DAVIT_KUBELET_CLIENT_KEY: 'k' }, 'DAVIT_KUBELET_CLIENT_CERTIFICATE: must be given together with'],
    [{ DAVIT_KUBELET_TIMEOUT: '0s' }, 'DAVIT_KUBELET_TIMEOUT: must be a duration above zero, such as 5s'],
    [{ DAVIT_KUBELET_TIMEOUT: 'soon' }, 'DAVIT_KUBELET_TIMEOUT: must be a duration above zero, such as 5s'],
    [{ DAVIT_KUBELET_PREFERRED_ADDRESS_TYPES: ',' }, 'DAVIT_KUBELET_PREFERRED_ADDRESS_TYPES: must be types'],
  ])('cannot be %j', (env, why) => {
    expect(() => configOf({ ...routed, ...env })).toThrow(why);
  });
});
