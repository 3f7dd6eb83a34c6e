import { describe, expect, test } from 'vitest';
import { serviceAccountTokenController } from '#lib/controllers/service-account-token/reconcile.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, uidOf } from '#lib/machinery/meta.ts';
import { parseJwt } from '#lib/server/authentication/jwt.ts';
import { signingKey, verificationKey, verifies } from '#lib/server/authentication/key.ts';
import { aKey } from '#lib/server/authentication/testing/world.ts';
import { tokenIssuer } from '#lib/server/authentication/token-issuer.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const KEY = aKey();
const PEM = '-----BEGIN CERTIFICATE-----\n';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';
const make: Reconcilers = (client) => [
  serviceAccountTokenController(client, {
    tokens: tokenIssuer({ key: async () => signingKey(KEY), issuer: 'https://here' }),
    authority: PEM,
  }),
];
const account = refOf(core('serviceaccounts'), 'x', 'sa');
const secret = refOf(core('secrets'), 'x', 'token');

const aSecret = (annotations: JsonObject = { [NAME]: 'sa' }): JsonObject => ({
  metadata: { name: 'token', namespace: 'x', annotations },
  type: 'kubernetes.io/service-account-token',
});

async function prepare({ user }: World): Promise<void> {
  await user.create(NAMESPACES, { metadata: { name: 'x' } });
  await user.create(core('serviceaccounts'), {
    metadata: { name: 'sa', namespace: 'x' },
    secrets: [{ name: 'token' }],
  });
  await user.create(core('secrets'), aSecret());
}

async function check({ user }: World): Promise<void> {
  const found = (await user.get(secret)) ?? {};
  const data = (key: string): string => Buffer.from(stringAt(objectAt(found, 'data'), key) ?? '', 'base64').toString();
  expect([data('namespace'), data('ca.crt')]).toEqual(['x', PEM]);
  expect(annotationsOf(found)[UID]).toBe(uidOf((await user.get(account)) ?? {}));
  const jwt = parseJwt(data('token'));
  expect(jwt !== undefined && verifies(verificationKey(KEY), jwt)).toBe(true);
  expect(jwt?.claims['sub']).toBe('system:serviceaccount:x:sa');
}

describe('a Secret for a token', () => {
  test('is filled, no matter when the controller is killed', async () => {
    expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(1);
  });

  test('gets removed values back', async () => {
    const world = new World();
    await prepare(world);
    await world.run(make);
    await world.user.patch(secret, { data: { token: null, 'ca.crt': 'eA==' } });
    await world.run(make);
    await check(world);
    await expectSettled(world, make);
  });

  test('is deleted with its account, as is the Secret of a former account', async () => {
    const world = new World();
    await prepare(world);
    await world.run(make);
    await world.user.delete(account);
    await world.run(make);
    expect(await world.user.get(secret)).toBeUndefined();
    await world.user.create(core('serviceaccounts'), { metadata: { name: 'sa', namespace: 'x' } });
    await world.user.create(core('secrets'), aSecret({ [NAME]: 'sa', [UID]: 'before' }));
    await world.run(make);
    expect(await world.user.get(secret)).toBeUndefined();
  });

  test('is removed from its account after its deletion', async () => {
    const world = new World();
    await prepare(world);
    await world.user.delete(secret);
    for (const reconciler of make(world.user, world.clock, world)) await reconciler.reconcile('x/token/sa');
    expect((await world.user.get(account))?.['secrets']).toBeUndefined();
    expect(world.faults).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ['of another type', { type: 'Opaque', metadata: { name: 'token', namespace: 'x', annotations: { [NAME]: 'no' } } }],
  ])('does not change a Secret %s', async (_, other) => {
    const world = new World();
    await world.user.create(NAMESPACES, { metadata: { name: 'x' } });
    await world.user.create(core('secrets'), other);
    await expectSettled(world, make);
  });
});
