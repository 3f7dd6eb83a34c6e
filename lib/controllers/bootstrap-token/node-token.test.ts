import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Secret } from '#lib/api/types/core.v1.ts';
import { SECRETS } from '#lib/api/types/resources.ts';
import { type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { boundNodes, NODE_TOKENS } from '#lib/server/authentication/node-bootstrap.ts';
import { isTokenOf, nodeTokenSecret } from './node-token.ts';

/** The form of a token's groups that the API server accepts. */
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const parts = { id: 'abcdef', secret: '0123456789abcdef', expires: Date.parse('2026-01-01T00:00:00Z') };

/** The Secret as the API server stores it. */
function stored(secret: JsonObject): Secret {
  const { stringData, ...rest } = secret;
  const data = Object.entries(stringData as Record<string, string>).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ]);
  return decodedAs(SECRETS, { ...rest, data: Object.fromEntries(data) });
}

const groupsOf = (node: string): string[] =>
  String(ownField(objectAt(nodeTokenSecret({ node, ...parts }), 'stringData') ?? {}, 'auth-extra-groups')).split(',');

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/);
const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));

test('reads the name of a node from the groups of its token', () => {
  fc.assert(
    fc.property(name, (node) => {
      expect(isDNS1123Subdomain(node)).toEqual([]);
      const groups = groupsOf(node);
      expect(groups.filter((group) => !GROUP.test(group))).toEqual([]);
      expect(boundNodes(groups)).toEqual([node]);
    }),
  );
});

test('assigns different groups to different node names', () => {
  fc.assert(
    fc.property(name, name, (one, other) => void expect(groupsOf(one)[1] === groupsOf(other)[1]).toBe(one === other)),
  );
});

test.each<[string, string[]]>([
  ['no groups', []],
  ['the groups of kubeadm', ['system:bootstrappers', NODE_TOKENS]],
  [
    'groups with similar prefixes',
    ['system:bootstrappers:davit:node', 'system:bootstrappers:davit:nodes:n1', 'system:nodes'],
  ],
])('does not bind a token with %s to a node', (_, groups) => {
  expect(boundNodes(groups)).toEqual([]);
});

test('creates a token that authenticates until it expires but cannot sign', () => {
  expect(nodeTokenSecret({ node: 'n1.example', ...parts })).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      description: 'Lets a host join as node n1.example, made by davit node add.',
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      expiration: '2026-01-01T00:00:00Z',
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token,system:bootstrappers:davit:node:n1:example',
    },
  });
});

test('recognizes the token Secret of its own node only', () => {
  const secret = stored(nodeTokenSecret({ node: 'n1.example', ...parts }));
  expect(isTokenOf(secret, 'n1.example')).toBe(true);
  for (const other of ['n1', 'n1.exampl', 'example', '']) expect(isTokenOf(secret, other)).toBe(false);
  expect(isTokenOf({ ...secret, type: 'Opaque' }, 'n1.example')).toBe(false);
  expect(isTokenOf(decodedAs(SECRETS, { type: 'bootstrap.kubernetes.io/token' }), 'n1.example')).toBe(false);
});
