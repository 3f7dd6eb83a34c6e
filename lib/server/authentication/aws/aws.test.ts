import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { GetRequest, HttpsGetter } from '../https-getter.ts';
import { boundNodes } from '../node-bootstrap.ts';
import { aClock, START } from '../testing/world.ts';
import { parsePrincipal } from './arn.ts';
import { awsTokens } from './authenticator.ts';
import { parseIdentityMap } from './identity-map-file.ts';

const ROLE = 'arn:aws:sts::123456789012:assumed-role/Admin/amy@example.org';
const MAP = `
clusterID: prod
mapRoles:
- rolearn: arn:aws:iam::123456789012:role/path/to/Admin
  username: admin:{{SessionName}}
  groups: [ops, "account:{{AccountID}}"]
mapUsers:
- userarn: arn:aws:iam::123456789012:user/ci/builder
  groups: [ci]
mapAccounts: ["210987654321"]
`;
const QUERY = {
  Action: 'GetCallerIdentity',
  Version: '2011-06-15',
  'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
  'X-Amz-Credential': 'AKIAEXAMPLE/20260101/eu-west-1/sts/aws4_request',
  'X-Amz-Date': '20260101T000000Z',
  'X-Amz-Expires': '60',
  'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
  'X-Amz-Signature': 'abc'.padEnd(64, '0'),
};

const urlOf = (query: Record<string, string> = {}, host = 'sts.eu-west-1.amazonaws.com'): string =>
  `https://${host}/?${new URLSearchParams({ ...QUERY, ...query }).toString()}`;
const tokenOf = (url: string): string => `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;

type Answered = Awaited<ReturnType<HttpsGetter['get']>>;

const resultOf = (Arn: string, more: JsonObject = {}): JsonObject => ({
  Arn,
  Account: Arn.split(':')[4] ?? '',
  UserId: 'AROAEXAMPLE:amy@example.org',
  ...more,
});
const textOf = (result: JsonObject): string =>
  JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: result } });
const answerOf = (text: string | Uint8Array, status = 200): Answered => ({ status, body: Buffer.from(text) });

/** Authentication with an STS that returns `answer`. */
function asking(answer: (request: GetRequest) => Promise<Answered>) {
  const asked: GetRequest[] = [];
  const clock = aClock();
  const https = {
    async get(request: GetRequest) {
      asked.push(request);
      return answer(request);
    },
  };
  const authenticate = awsTokens({ map: parseIdentityMap(MAP) }, { https, clock });
  return { asked, clock, ask: (token: string) => authenticate(token, { warn: () => {} }) };
}

/** An STS that returns the identity `arn`. */
function sts(arn = ROLE, { status = 200, later = 0 }: { status?: number; later?: number } = {}) {
  const made = asking(async () => {
    if (status === 0) throw new TransportError('connection refused');
    return answerOf(textOf(resultOf(arn)), status);
  });
  made.clock.advance(later);
  return made;
}

describe('mapped AWS identities', () => {
  test.each<[string, string, object]>([
    [
      'a session of a role',
      ROLE,
      {
        name: 'admin:amy-example.org',
        groups: ['ops', 'account:123456789012'],
        uid: 'aws-iam-authenticator:123456789012:AROAEXAMPLE',
        extra: {
          accessKeyId: ['AKIAEXAMPLE'],
          arn: [ROLE],
          canonicalArn: ['arn:aws:iam::123456789012:role/Admin'],
          principalId: ['AROAEXAMPLE'],
          sessionName: ['amy@example.org'],
        },
      },
    ],
    [
      'an IAM user by its ARN',
      'arn:aws:iam::123456789012:user/ci/builder',
      { name: 'arn:aws:iam::123456789012:user/ci/builder', groups: ['ci'] },
    ],
    [
      'any principal of a mapped account',
      'arn:aws:iam::210987654321:root',
      { name: 'arn:aws:iam::210987654321:root', groups: [] },
    ],
  ])('maps %s to a user', async (_, arn, user) => {
    expect((await sts(arn).ask(tokenOf(urlOf())))?.user).toMatchObject(user);
  });

  test('calls STS with the signed request, once per minute and token', async () => {
    const { ask, asked, clock } = sts();
    const token = tokenOf(urlOf());
    await Promise.all([ask(token), ask(token)]);
    expect(asked.map(({ url, headers }) => [url, headers?.['x-k8s-aws-id']])).toEqual([[urlOf(), 'prod']]);
    clock.advance(60_000);
    await ask(token);
    expect(asked).toHaveLength(2);
    clock.advance(15 * 60_000);
    await expect(ask(token)).rejects.toThrow('expired');
  });

  test('has no opinion on other tokens', async () => {
    expect(await sts().ask('eyJhbGciOiJub25lIn0.e30.')).toBeUndefined();
  });
});

describe('rejected AWS identities', () => {
  test.each<[string, string, object, string]>([
    ['that is in no map', 'arn:aws:iam::123456789012:user/other', {}, 'is not in the map'],
    [
      'with the same name in another account',
      'arn:aws:sts::999999999999:assumed-role/Admin/x',
      {},
      'is not in the map',
    ],
    ['that cannot be mapped', 'arn:aws:s3:::bucket', {}, 'is nobody that can be mapped'],
    ['that STS does not recognize', ROLE, { status: 403 }, 'sts answered 403'],
    ['if STS redirects', ROLE, { status: 302 }, 'sts answered 302'],
    ['if STS is unreachable', ROLE, { status: 0 }, 'sts: connection refused'],
    ['with an expired token', ROLE, { later: 15 * 60_000 + 1 }, 'expired'],
  ])('rejects a principal %s', async (_, arn, options, message) => {
    await expect(sts(arn, options).ask(tokenOf(urlOf()))).rejects.toMatchObject({
      code: 401,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['{"Error":{"Code":"Throttling","Message":"Rate exceeded"}}', 400, 2],
    ['<ErrorResponse><Error><Code>ThrottlingException</Code></Error></ErrorResponse>', 400, 2],
    ['{"Error":{"Code":"IncompleteSignature"}}', 400, 1],
    ['{"Error":{"Code":"InvalidClientTokenId"}}', 403, 1],
  ])('a response %s with status %i leads to %i calls of STS for two requests', async (text, status, times) => {
    const { ask, asked } = asking(async () => answerOf(text, status));
    const token = tokenOf(urlOf());
    for (let i = 0; i < 2; i++) await expect(ask(token)).rejects.toMatchObject({ code: 401 });
    expect(asked).toHaveLength(times);
  });

  test.each<[string, string]>([
    ['another host', urlOf({}, 'sts.evil.example')],
    ['a host with the same suffix', urlOf({}, 'sts.eu-west-1.amazonaws.com.evil.example')],
    ['a host with the same prefix', urlOf({}, 'evil-sts.eu-west-1.amazonaws.com')],
    ['another service', urlOf({}, 's3.eu-west-1.amazonaws.com')],
    ['another partition', urlOf({}, 'sts.cn-north-1.amazonaws.com.cn')],
    ['a port', urlOf({}, 'sts.eu-west-1.amazonaws.com:8443')],
    ['a user before another host', urlOf({}, 'sts.eu-west-1.amazonaws.com@evil.example')],
    ['a user', urlOf({}, 'u:p@sts.eu-west-1.amazonaws.com')],
    ['plain HTTP', urlOf().replace('https', 'http')],
    ['a path', urlOf().replace('/?', '/x?')],
    ['a fragment', `${urlOf()}#x`],
    ['a dot after the host', urlOf({}, 'sts.eu-west-1.amazonaws.com.')],
    ['an upper-case host', urlOf({}, 'STS.eu-west-1.amazonaws.com')],
    ['an IP address', urlOf({}, '169.254.169.254')],
    ['two hosts', urlOf({}, 'evil.example\\sts.eu-west-1.amazonaws.com')],
    ['the default port', urlOf({}, 'sts.eu-west-1.amazonaws.com:443')],
    ['a null after the action', urlOf({ Action: 'GetCallerIdentity\0' })],
    ['another action under an encoded name', urlOf().replace('Action=', '%41ction=AssumeRole&Action=')],
    ['no credential', urlOf({ 'X-Amz-Credential': '' })],
    [
      'a signed header that only starts like the cluster header',
      urlOf({ 'X-Amz-SignedHeaders': 'host;x-k8s-aws-id2' }),
    ],
    ['a line break', urlOf().replace('Action', 'Act\nion')],
    ['another action', urlOf({ Action: 'AssumeRole' })],
    ['two actions', `${urlOf()}&action=AssumeRole`],
    ['an unknown parameter', urlOf({ RoleArn: 'x' })],
    ['an unsigned cluster header', urlOf({ 'X-Amz-SignedHeaders': 'host' })],
    ['an unsigned host header', urlOf({ 'X-Amz-SignedHeaders': 'x-k8s-aws-id' })],
    ['an expiry above 15 minutes', urlOf({ 'X-Amz-Expires': '901' })],
    ['a negative expiry', urlOf({ 'X-Amz-Expires': '-1' })],
    ['an expiry that is not an integer', urlOf({ 'X-Amz-Expires': '6e1' })],
    [
      'a date in the future',
      urlOf({ 'X-Amz-Date': new Date(START + 301_000).toISOString().replace(/[-:]|\.\d+/g, '') }),
    ],
    ['no date', urlOf({ 'X-Amz-Date': '2026-01-01T00:00:00Z' })],
    [
      'credentials for another service',
      urlOf({ 'X-Amz-Credential': 'AKIAEXAMPLE/20260101/eu-west-1/s3/aws4_request' }),
    ],
    ['another algorithm', urlOf({ 'X-Amz-Algorithm': 'none' })],
    ['an oversized parameter', urlOf({ 'X-Amz-Security-Token': 'x'.repeat(4096) })],
  ])('rejects a token with %s before any call', async (_, url) => {
    const { ask, asked } = sts();
    await expect(ask(tokenOf(url))).rejects.toMatchObject({ code: 401 });
    expect(asked).toEqual([]);
  });
});

describe('an STS with invalid responses', () => {
  const said = (more: JsonObject): string => textOf(resultOf(ROLE, more));
  const session = (name: string): string => said({ Arn: `arn:aws:sts::123456789012:assumed-role/Admin/${name}` });
  const anyOf = (resource: string, partition = 'aws'): string =>
    textOf(resultOf(`arn:${partition}:iam::210987654321:${resource}`));

  test.each<[string, string | Uint8Array]>([
    ['no content', ''],
    ['XML', `<GetCallerIdentityResponse><Arn>${ROLE}</Arn></GetCallerIdentityResponse>`],
    ['trailing data', `${said({})}x`],
    ['two values', said({}) + said({})],
    ['NaN', said({}).replace('"123456789012"', 'NaN')],
    ['a list instead of an object', `[${said({})}]`],
    ['a __proto__ field', `{"__proto__":${said({})}}`],
    ['excessive depth', '['.repeat(30_000)],
    ['a duplicate field', said({}).replace('{"Arn"', '{"Arn":"arn:aws:iam::123456789012:user/other","Arn"')],
    ['another account', said({ Account: '210987654321' })],
    ['an account that is a number', said({ Account: 123456789012 })],
    ['no account', said({ Account: null })],
    ['a list of ARNs', said({ Arn: [ROLE] })],
    ['a line break after the ARN', said({ Arn: `${ROLE}\r\nx: y` })],
    ['a line break in a session', session('a\r\nb')],
    ['a line separator in a session', session('a\u2028b')],
    ['control characters in a session', session('a\u001b[31m\0')],
    ['a lone surrogate in a session', session('a').replace('Admin/a', 'Admin/a\\ud800')],
    ['invalid UTF-8', Buffer.from(session('\u00ff'), 'latin1')],
    ['a system: name as a session', session('system:masters')],
    ['an empty session', session('')],
    ['a very long session', session('x'.repeat(60_000))],
    ['a role without a name', said({ Arn: 'arn:aws:sts::123456789012:assumed-role//amy' })],
    ['no user ID', said({ UserId: null })],
    ['a user ID with three parts', said({ UserId: 'a:b:c' })],
    ['a user ID with a line break', said({ UserId: 'a\nb' })],
    ['another partition in a mapped account', anyOf('user/x', 'aws-cn')],
    ['a user without a name in a mapped account', anyOf('user/')],
    ['a user with a space in a mapped account', anyOf('user/x y')],
  ])('reports a response with %s in one short line and does not cache it', async (_, text) => {
    const answers = [answerOf(text), answerOf(said({}))];
    const { ask, asked } = asking(async () => answers[asked.length - 1] ?? answerOf('', 500));
    const refused = await ask(tokenOf(urlOf())).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 401,
      message: expect.stringMatching(/^aws: [^\p{Cc}\p{Zl}\p{Zp}]{1,400}$/u),
    });
    expect((await ask(tokenOf(urlOf())))?.user.name).toBe('admin:amy-example.org');
    await ask(tokenOf(urlOf()));
    expect(asked).toHaveLength(2);
  });

  test('a slow call for one token does not delay another token', async () => {
    const SLOW = 'f'.repeat(64);
    const slow = Promise.withResolvers<Answered>();
    const { ask } = asking(({ url }) => (url.includes(SLOW) ? slow.promise : Promise.resolve(answerOf(said({})))));
    const waiting = ask(tokenOf(urlOf({ 'X-Amz-Signature': SLOW })));
    expect((await ask(tokenOf(urlOf())))?.user.name).toBe('admin:amy-example.org');
    slow.reject(new TransportError('context deadline exceeded'));
    await expect(waiting).rejects.toMatchObject({ code: 401 });
  });

  test('the error contains no part of the token', async () => {
    const { ask } = sts(ROLE, { status: 0 });
    const refused = await ask(tokenOf(urlOf())).catch((error: unknown) => error);
    expect(inspect(refused)).not.toMatch(/AKIAEXAMPLE|X-Amz|k8s-aws-v1/);
  });
});

test.each([
  ['arn:aws:iam::123456789012:role/a/b', 'arn:aws:iam::123456789012:role/b'],
  ['arn:aws-cn:sts::123456789012:assumed-role/r/s', 'arn:aws-cn:iam::123456789012:role/r'],
  ['arn:aws:sts::123456789012:federated-user/f', 'arn:aws:sts::123456789012:federated-user/f'],
  ['arn:aws:sts::123456789012:assumed-role/r', undefined],
  ['arn:aws:iam::12:root', undefined],
  ['role/r', undefined],
])('the principal of %s is %s', (arn, canonical) => {
  expect(parsePrincipal(arn)?.canonicalArn).toBe(canonical);
});

test.each([
  'mapRoles: []',
  'clusterID: x\nmapRolls: []',
  'clusterID: x\nmapUsers: [{userarn: bob}]',
  'clusterID: x\nmapAccounts: [7]',
  'clusterID: x\nmapNodeRoles: [{rolearn: "arn:aws:iam::123456789012:user/u"}]',
  'clusterID: x\nmapNodeRoles: [{rolearn: "arn:aws:iam::123456789012:role/n", groups: [a]}]',
  'clusterID: x\nmapNodeRoles: [{rolearn: &a "arn:aws:iam::123456789012:role/n"}]\nmapRoles: [{rolearn: *a}]',
])('rejects the map %j', (text) => {
  expect(() => parseIdentityMap(text)).toThrow(TypeError);
});

describe('the role of EC2 instances that join as nodes', () => {
  const NODES =
    'clusterID: prod\nmapNodeRoles: [{rolearn: "arn:aws:iam::123456789012:role/path/to/Nodes"}]\nmapAccounts: ["123456789012"]';
  const ofSession = (session: string): string => `arn:aws:sts::123456789012:assumed-role/Nodes/${session}`;
  const asked = async (arn: string, aws: Lookup['named'] = async () => new Map()) => {
    const https = { get: async () => answerOf(textOf(resultOf(arn))) };
    const ports = { https, clock: aClock(), lookup: { named: aws } };
    return (await awsTokens({ map: parseIdentityMap(NODES) }, ports)(tokenOf(urlOf()), { warn: () => {} }))?.user;
  };

  test('authenticates an instance that may request only the certificate of its own node', async () => {
    const user = await asked(ofSession('i-0123456789abcdef0'));
    expect(user).toMatchObject({
      name: 'system:bootstrap:i-0123456789abcdef0',
      groups: [
        'system:bootstrappers',
        'system:bootstrappers:davit:node:i-0123456789abcdef0',
        'system:bootstrappers:kubeadm:default-node-token',
      ],
    });
    expect(boundNodes(user?.groups ?? [])).toEqual(['i-0123456789abcdef0']);
  });

  test.each(['amy', 'i-0123', 'i-0123456789ABCDEF0', 'i-0123456789abcdef0.x', 'n1', 'i-0123456789abcdef0@x'])(
    'rejects a session that is not an instance: %s',
    async (session) => {
      await expect(asked(ofSession(session))).rejects.toThrow('role/Nodes is not in the map');
    },
  );

  test('is not changed by the ConfigMap aws-auth', async () => {
    const mapRoles =
      '[{"rolearn": "arn:aws:iam::123456789012:role/Nodes", "username": "x", "groups": ["system:masters"]}]';
    const found = new Map([['aws-auth', { metadata: { name: 'aws-auth' }, data: { mapRoles } }]]);
    const user = await asked(ofSession('i-0123456789abcdef0'), (async () => found) as unknown as Lookup['named']);
    expect(user?.groups).not.toContain('system:masters');
  });
});

describe('the ConfigMap kube-system/aws-auth', () => {
  /** Authentication with the map above and the given ConfigMap. */
  function withConfigMap(data: Record<string, string> | undefined, arn: string) {
    const https = { get: async () => answerOf(textOf(resultOf(arn))) };
    const asked: string[] = [];
    const warnings: string[] = [];
    const version = { current: '1' };
    const named = async ({ resource, namespace }: { resource: string; namespace?: string }, name: string) => {
      asked.push(`${resource} ${namespace}/${name}`);
      const configMap = { metadata: { name, resourceVersion: version.current }, data };
      return new Map(data === undefined ? [] : [[name, configMap]]);
    };
    const lookup = { named } as unknown as Pick<Lookup, 'named'>;
    const ports = { https, clock: aClock(), lookup, reportWarning: (text: string) => void warnings.push(text) };
    const authenticate = awsTokens({ map: parseIdentityMap(MAP) }, ports);
    const user = async (signature = 'abc') =>
      (await authenticate(tokenOf(urlOf({ 'X-Amz-Signature': signature.padEnd(64, '0') })), { warn: () => {} }))?.user;
    return { asked, warnings, version, user };
  }
  const DEV = 'arn:aws:sts::123456789012:assumed-role/Dev/bob';
  const mapRoles = `
- rolearn: arn:aws:iam::123456789012:role/Dev
  username: dev:{{SessionName}}
  groups: [devs]
- rolearn: arn:aws:iam::123456789012:role/Admin
  username: somebody
`;

  test('adds identities in the syntax of EKS', async () => {
    const { user, asked } = withConfigMap({ mapRoles }, DEV);
    expect(await user()).toMatchObject({ name: 'dev:bob', groups: ['devs'] });
    expect(asked).toEqual(['configmaps kube-system/aws-auth']);
  });

  test('does not override identities of the map and is not read for them', async () => {
    const { user, asked } = withConfigMap({ mapRoles }, ROLE);
    expect(await user()).toMatchObject({ name: 'admin:amy-example.org' });
    expect(asked).toEqual([]);
  });

  test('supports users and accounts', async () => {
    const mapUsers = '[{"userarn": "arn:aws:iam::111122223333:user/ada", "username": "ada"}]';
    const ada = withConfigMap({ mapUsers }, 'arn:aws:iam::111122223333:user/ada');
    expect(await ada.user()).toMatchObject({ name: 'ada', groups: [] });
    const bob = withConfigMap({ mapAccounts: '- "111122223333"' }, 'arn:aws:iam::111122223333:user/bob');
    expect(await bob.user()).toMatchObject({ name: 'arn:aws:iam::111122223333:user/bob' });
  });

  test.each([
    [
      'an entry with an invalid type',
      { mapRoles: `${mapRoles}- {rolearn: 5}\n` },
      'mapRoles[2]: rolearn: Invalid input: expected string, received number',
    ],
    [
      'an ARN that cannot be mapped',
      { mapRoles: `${mapRoles}- {rolearn: "arn:aws:s3:::bucket"}\n` },
      'mapRoles[2]: the ARN is of no role or user',
    ],
    ['text that is not a list', { mapRoles, mapUsers: 'ada' }, 'mapUsers: is no list in YAML'],
    ['text that is not YAML', { mapRoles, mapUsers: '{' }, 'mapUsers: is no list in YAML'],
  ])('ignores %s, reports it once and keeps the other entries', async (_, data, fault) => {
    const { user, warnings } = withConfigMap(data, DEV);
    expect(await user()).toMatchObject({ name: 'dev:bob' });
    expect(await user('abd')).toMatchObject({ name: 'dev:bob' });
    expect(warnings).toEqual([`ConfigMap kube-system/aws-auth has entries that do not count: ${fault}`]);
  });

  test('reports invalid entries again after a change, in a message of limited length', async () => {
    const { user, warnings, version } = withConfigMap(
      { mapRoles: `${mapRoles}${'- {rolearn: 5}\n'.repeat(1000)}` },
      DEV,
    );
    await user();
    version.current = '2';
    await user('abd');
    expect(warnings.map(({ length }) => length)).toEqual([1024, 1024]);
  });

  test.each([[{ mapRoles }], [{ mapRoles, mapUsers: '', mapAccounts: '[]' }]])(
    'reports nothing for %j',
    async (data) => {
      const { user, warnings } = withConfigMap(data, DEV);
      await user();
      expect(warnings).toEqual([]);
    },
  );

  test.each([[undefined], [{}], [{ mapRoles: '{' }], [{ mapRoles: 'text' }]])(
    'maps no principal with %j',
    async (data) => {
      await expect(withConfigMap(data, DEV).user()).rejects.toThrow('role/Dev is not in the map');
    },
  );

  test('a map file may contain the same YAML text', () => {
    const { principals } = parseIdentityMap(JSON.stringify({ clusterID: 'prod', mapRoles }));
    expect([...principals.keys()]).toContain('arn:aws:iam::123456789012:role/Dev');
  });
});
