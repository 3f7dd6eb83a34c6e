import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownField, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { boundNodes, isTokenOf, nodeTokenSecret, NODE_TOKENS } from './node-token.ts';

/** What the API server demands of a token's groups. */
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const parts = { id: 'abcdef', secret: '0123456789abcdef', expires: Date.parse('2026-01-01T00:00:00Z') };

/** The Secret as the API server stores it. */
function stored(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = secret;
  const data = Object.entries(stringData as Record<string, string>).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ]);
  return { ...rest, data: Object.fromEntries(data) };
}

const groupsOf = (node: string): string[] =>
  String(ownField(objectAt(nodeTokenSecret({ node, ...parts }), 'stringData') ?? {}, 'auth-extra-groups')).split(',');

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/);
const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));

test('every name of a node is a group of tokens, and read from it again', () => {
  fc.assert(
    fc.property(name, (node) => {
      expect(isDNS1123Subdomain(node)).toEqual([]);
      const groups = groupsOf(node);
      expect(groups.filter((group) => !GROUP.test(group))).toEqual([]);
      expect(boundNodes(groups)).toEqual([node]);
    }),
  );
});

test('names that differ have groups that differ', () => {
  fc.assert(
    fc.property(name, name, (one, other) => void expect(groupsOf(one)[1] === groupsOf(other)[1]).toBe(one === other)),
  );
});

test.each<[string, string[]]>([
  ['no groups', []],
  ['those of kubeadm', ['system:bootstrappers', NODE_TOKENS]],
  [
    'those that begin alike',
    ['system:bootstrappers:davit:node', 'system:bootstrappers:davit:nodes:n1', 'system:nodes'],
  ],
])('%s bind to no node', (_, groups) => {
  expect(boundNodes(groups)).toEqual([]);
});

test('a token may authenticate, not sign, until it ends', () => {
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

test('a Secret is a token of its node alone', () => {
  const secret = stored(nodeTokenSecret({ node: 'n1.example', ...parts }));
  expect(isTokenOf(secret, 'n1.example')).toBe(true);
  for (const other of ['n1', 'n1.exampl', 'example', '']) expect(isTokenOf(secret, other)).toBe(false);
  expect(isTokenOf({ ...secret, type: 'Opaque' }, 'n1.example')).toBe(false);
  expect(isTokenOf({ type: 'bootstrap.kubernetes.io/token' }, 'n1.example')).toBe(false);
});
