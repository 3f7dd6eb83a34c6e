import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { bootstrapTokens } from './bootstrap-token.ts';
import { aClock, aLookup } from './testing/world.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const TOKEN = 'abcdef.0123456789abcdef';
const DATA = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };

function aSecret(data: Record<string, string> = {}, metadata: JsonObject = {}, type = 'bootstrap.kubernetes.io/token') {
  const all = Object.entries({ ...DATA, ...data }).map(([key, value]) => [key, base64(value)]);
  return {
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system', ...metadata },
    type,
    data: Object.fromEntries(all) as JsonObject,
  };
}

async function groupsOf(secret: JsonObject, token = TOKEN): Promise<readonly string[] | undefined> {
  const authenticate = bootstrapTokens({ lookup: aLookup({ secrets: [secret] }), clock: aClock() });
  const known = await authenticate(token, { warn: () => {} });
  if (known !== undefined) expect(known.user.name).toBe('system:bootstrap:abcdef');
  return known?.user.groups;
}

const GROUPS = ['system:bootstrappers'];
test.each<[string, JsonObject, string, readonly string[] | undefined]>([
  ['matches', aSecret(), TOKEN, GROUPS],
  [
    'adds groups',
    aSecret({ 'auth-extra-groups': 'system:bootstrappers:a,system:bootstrappers:b' }),
    TOKEN,
    [...GROUPS, 'system:bootstrappers:a', 'system:bootstrappers:b'],
  ],
  ['adds a group that is not a bootstrap group', aSecret({ 'auth-extra-groups': 'system:masters' }), TOKEN, undefined],
  ['has not expired', aSecret({ expiration: '2026-01-01T00:00:01Z' }), TOKEN, GROUPS],
  ['has expired', aSecret({ expiration: '2026-01-01T00:00:00Z' }), TOKEN, undefined],
  ['has an invalid expiration', aSecret({ expiration: 'tomorrow' }), TOKEN, undefined],
  ['has another type', aSecret({}, {}, 'Opaque'), TOKEN, undefined],
  ['is being deleted', aSecret({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), TOKEN, undefined],
  ['does not allow authentication', aSecret({ 'usage-bootstrap-authentication': 'TRUE' }), TOKEN, undefined],
  ['contains another ID', aSecret({ 'token-id': 'abcdeg' }), TOKEN, undefined],
  ['contains another secret', aSecret(), 'abcdef.0123456789abcdeg', undefined],
  ['is requested with a malformed token', aSecret(), 'ABCDEF.0123456789abcdef', undefined],
])('checks a bootstrap token whose Secret %s', async (_, secret, token, groups) => {
  expect(await groupsOf(secret, token)).toEqual(groups);
});
