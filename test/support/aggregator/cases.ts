/** A request to the aggregator, and its backend's response. */
export interface Case {
  readonly title: string;
  readonly method?: string;
  readonly path: string;
  /** Headers in addition to `Authorization`, which has a default value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Whether to send the body in chunks, without its length. */
  readonly isChunked?: boolean;
  /** A key of ANSWERS. */
  readonly answer?: string;
}

/** A placeholder for a token of the service account `default/robot`. */
export const ROBOT = '{robot}';

const GROUP = '/apis/things.example.com/v1';
const THINGS = `${GROUP}/namespaces/default/things`;
const JSON_TYPE = { 'content-type': 'application/json' };
const jane = { 'impersonate-user': 'jane' };

const verbs: Case[] = [
  { title: 'GET of an object', path: `${THINGS}/a` },
  { title: 'HEAD of an object', method: 'HEAD', path: `${THINGS}/a` },
  { title: 'OPTIONS', method: 'OPTIONS', path: `${THINGS}/a` },
  { title: 'POST', method: 'POST', path: THINGS, headers: JSON_TYPE, body: '{"a":1}', answer: 'created' },
  { title: 'POST in chunks', method: 'POST', path: THINGS, headers: JSON_TYPE, body: '{"a":1}', isChunked: true },
  { title: 'POST without a body', method: 'POST', path: THINGS },
  { title: 'POST of invalid JSON', method: 'POST', path: THINGS, headers: JSON_TYPE, body: '{' },
  { title: 'PUT', method: 'PUT', path: `${THINGS}/a`, headers: JSON_TYPE, body: '{"a":2}' },
  ...['json-patch', 'merge-patch', 'strategic-merge-patch'].map(
    (type): Case => ({
      title: `PATCH by ${type}`,
      method: 'PATCH',
      path: `${THINGS}/a`,
      headers: { 'content-type': `application/${type}+json` },
      body: '{}',
    }),
  ),
  {
    title: 'PATCH by apply',
    method: 'PATCH',
    path: `${THINGS}/a?fieldManager=x&force=true`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: 'kind: Thing\n',
  },
  { title: 'DELETE', method: 'DELETE', path: `${THINGS}/a` },
  { title: 'DELETE with options', method: 'DELETE', path: `${THINGS}/a`, headers: JSON_TYPE, body: '{"kind":"X"}' },
  { title: 'DELETE of a collection', method: 'DELETE', path: `${THINGS}?labelSelector=a%3Db` },
  { title: 'an unknown method', method: 'PROPFIND', path: `${THINGS}/a` },
  { title: 'a watch', path: `${THINGS}?watch=true`, answer: 'chunks' },
  { title: 'a watch by its old path', path: `${GROUP}/watch/things`, answer: 'chunks' },
  { title: 'a subresource', path: `${THINGS}/a/log?follow=true`, answer: 'big' },
  {
    title: 'POST of protobuf',
    method: 'POST',
    path: THINGS,
    headers: { 'content-type': 'a/b' },
    body: 'k8s',
    answer: 'protobuf',
  },
];

const paths: Case[] = [
  GROUP,
  `${GROUP}/`,
  `${GROUP}//things`,
  `${GROUP}/things/`,
  `${GROUP}/a/../b`,
  `${GROUP}/./things`,
  `${GROUP}/namespaces/default/things/a%2Fb`,
  `${GROUP}/namespaces/default/things/a%20b%3Fc`,
  `${GROUP}/namespaces/default/things/%C3%A4`,
  `${GROUP}/namespaces/default/things/a;b=c`,
  `${GROUP}/namespaces/default/things/a:b@c!$&'()*+,`,
  `${GROUP}/things?`,
  `${GROUP}/things?b=2&a=1&b=1`,
  `${GROUP}/things?a`,
  `${GROUP}/things?a=%2F+%20&b=%C3%A4`,
  `${GROUP}/things?a=%zz&b=1`,
  `${GROUP}/things?a=1;b=2`,
  `${GROUP}/things?timeout=5s&limit=1`,
  '/apis/things.example.com',
  '/apis/things.example.com/',
  '/apis/things.example.com/v2',
  '/apis/things.example.com/v1x/things',
  '/apis/Things.example.com/v1/things',
  '/apis/nobody.example.com/v1/things',
].map((path): Case => ({ title: `the path ${path}`, path, headers: { accept: 'application/json' } }));

const headers: Case[] = [
  { title: 'a client without credentials', path: THINGS, headers: { authorization: '' } },
  { title: 'a client with a bad token', path: THINGS, headers: { authorization: 'Bearer nobody' } },
  {
    title: 'claimed identities',
    path: THINGS,
    headers: {
      'x-remote-user': 'eve',
      'x-remote-uid': '1',
      'x-remote-group': ['system:masters', 'b'],
      'x-remote-extra-a': 'b',
      'x-remote-extra-scopes': ['a', 'b'],
    },
  },
  {
    title: 'headers of proxies',
    path: THINGS,
    headers: {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'example.com',
      'x-forwarded-proto': 'http',
      'x-forwarded-uri': '/x',
      'x-forwarded-port': '1',
      'x-real-ip': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
      via: '1.1 a',
    },
  },
  {
    title: 'headers of one connection',
    path: THINGS,
    headers: {
      connection: 'close, x-hop',
      'x-hop': 'a',
      'keep-alive': 'timeout=9',
      te: 'trailers',
      'proxy-authorization': 'Basic eA==',
      'proxy-connection': 'keep-alive',
    },
  },
  {
    title: 'headers that pass',
    path: THINGS,
    headers: {
      accept: 'application/vnd.kubernetes.protobuf, */*',
      'accept-language': 'de',
      'content-type': 'a/b',
      cookie: ['a=1'],
      'if-none-match': '"1"',
      range: 'bytes=0-1',
      'user-agent': 'tests/1',
      'x-own': ['a', 'b'],
      'x-request-id': 'r',
    },
    answer: 'not-modified',
  },
  { title: 'an encoding that the client takes', path: THINGS, headers: { 'accept-encoding': 'gzip' }, answer: 'gzip' },
  { title: 'no encoding but a coded answer', path: THINGS, headers: { 'accept-encoding': 'identity' }, answer: 'gzip' },
  { title: 'an audit id of the client', path: THINGS, headers: { 'audit-id': 'of-the-client' } },
  { title: 'an origin', path: THINGS, headers: { origin: 'https://example.com' } },
  {
    title: 'an answer awaited before the body',
    method: 'POST',
    path: THINGS,
    headers: { ...JSON_TYPE, expect: '100-continue' },
    body: '{}',
  },
];

const users: Case[] = [
  { title: 'a user', headers: jane },
  { title: 'a user with groups', headers: { ...jane, 'impersonate-group': ['a', 'b'] } },
  { title: 'a user with an identifier', headers: { ...jane, 'impersonate-uid': '7' } },
  {
    title: 'a user with extra values',
    headers: { ...jane, 'impersonate-extra-scopes': ['a', 'b'], 'impersonate-extra-acme.com%2fproject': 'p' },
  },
  { title: 'a service account', headers: { 'impersonate-user': 'system:serviceaccount:default:default' } },
  { title: 'a token of a service account', headers: { authorization: `Bearer ${ROBOT}` } },
  { title: 'the anonymous user', headers: { 'impersonate-user': 'system:anonymous' } },
  { title: 'a user without rights', headers: { 'impersonate-user': 'eve' } },
].map((it): Case => ({ ...it, path: `${THINGS}/a` }));

const answers: Case[] = [
  'accepted',
  'no-content',
  'not-modified',
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'conflict',
  'invalid',
  'too-many',
  'failed',
  'unavailable',
  'teapot',
  'no-type',
  'empty',
  'protobuf',
  'gzip',
  'html',
  'big',
  'chunks',
  'cookies',
  'hop-by-hop',
  'server-headers',
  'early-hints',
  'moved-away',
  'found-here',
  'see-other',
  'temporary',
  'permanent',
  'choices',
  'bad-location',
  'http-1.0',
  'http-1.0-short',
  'garbage',
  'bad-header',
  'hang-up',
  'hang-up-amid',
  'switch-unasked',
].map((answer): Case => ({ title: `the answer ${answer}`, path: `${THINGS}/a`, answer }));

const upgrades: Case[] = ['SPDY/3.1', 'websocket'].flatMap((upgrade): Case[] => {
  const asked = { connection: 'Upgrade', upgrade, 'sec-websocket-protocol': 'v4.channel.k8s.io' };
  const path = `${THINGS}/a/exec?command=x`;
  return [
    { title: `a switch to ${upgrade}`, path, headers: asked },
    { title: `a switch to ${upgrade} by POST`, method: 'POST', path, headers: asked },
    { title: `a switch to ${upgrade} that is forbidden`, path, headers: asked, answer: '403:Forbidden' },
    { title: `a switch to ${upgrade} that gets a 200`, path, headers: asked, answer: '200:OK' },
    { title: `a switch to ${upgrade} as jane`, path, headers: { ...asked, ...jane, 'x-remote-user': 'eve' } },
  ];
});

const plain: Case = {
  title: 'a switch to HTTP/2 without TLS',
  path: `${THINGS}/a`,
  headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA' },
};

const services: Case[] = [
  'insecure',
  'other-authority',
  'refused',
  'no-service',
  'wrong-port',
  'no-endpoints',
  'no-slices',
  'not-ready',
  'lies',
  'local',
  'status-401',
  'status-404',
  'status-500',
  'status-302',
  'status-304',
].map((group): Case => ({ title: `the APIService ${group}`, path: `/apis/${group}.example.com/v1/things` }));

/** Every request, in the order of recording. */
export const CASES: readonly Case[] = [
  ...verbs,
  ...paths,
  ...headers,
  ...users,
  ...answers,
  ...upgrades,
  plain,
  ...services,
];
