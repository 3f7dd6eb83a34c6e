import { expect, test } from 'vitest';
import { PERIOD, TRACKING } from '#lib/controllers/legacy-service-account-token-cleaner/decide.ts';
import { legacyServiceAccountTokenCleaner } from '#lib/controllers/legacy-service-account-token-cleaner/reconcile.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, uidOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const DAY = 86_400_000;
const make: Reconcilers = (client, clock) => [legacyServiceAccountTokenCleaner(client, clock)];
const SECRET = refOf(core('secrets'), 'x', 'old');
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** An old token, whose use has been tracked for more than a year. */
async function prepare(world: World, { listed = true, labels = {} }: { listed?: boolean; labels?: JsonObject } = {}) {
  const { user, clock } = world;
  for (const name of ['kube-system', 'x']) await user.create(NAMESPACES, { metadata: { name } });
  const since = dayOf(clock.now());
  const metadata = { name: TRACKING, namespace: 'kube-system' };
  await user.create(core('configmaps'), { metadata, data: { since } });
  const account = await user.create(core('serviceaccounts'), {
    metadata: { name: 'sa', namespace: 'x' },
    ...(listed ? { secrets: [{ name: 'old' }] } : {}),
  });
  const annotations = {
    'kubernetes.io/service-account.name': 'sa',
    'kubernetes.io/service-account.uid': uidOf(account),
  };
  const type = 'kubernetes.io/service-account-token';
  await user.create(core('secrets'), { metadata: { name: 'old', namespace: 'x', annotations, labels }, type });
  clock.advance(PERIOD + 2 * DAY);
}

const marked = async (world: World): Promise<string | undefined> => {
  const secret = await world.user.get(SECRET);
  return secret === undefined ? 'gone' : labelsOf(secret)[INVALID_SINCE];
};

test('marks a token that was unused for a year, and deletes it a year later', async () => {
  const world = new World();
  await prepare(world);
  const day = dayOf(world.clock.now());
  await world.run(make);
  expect(await marked(world)).toBe(day);
  world.clock.advance(PERIOD + 2 * DAY);
  await world.run(make);
  expect(await marked(world)).toBe('gone');
  expect(world.faults).toEqual([]);
});

test.each<[string, Parameters<typeof prepare>[1]]>([
  ['that its account does not list', { listed: false }],
  ['that was used', { labels: { [LAST_USED]: dayOf(new World().clock.now() + PERIOD) } }],
  ['whose last use cannot be read', { labels: { [LAST_USED]: 'yesterday' } }],
])('does not change a token %s', async (_, given) => {
  const world = new World();
  await prepare(world, given);
  await world.run(make);
  expect(await marked(world)).toBeUndefined();
});

test('does not change a token that a pod mounts', async () => {
  const world = new World();
  await prepare(world);
  await world.user.create(core('pods'), {
    metadata: { name: 'p', namespace: 'x' },
    spec: {
      serviceAccountName: 'sa',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', secret: { secretName: 'old' } }],
    },
  });
  await world.run(make);
  expect(await marked(world)).toBeUndefined();
});

test('marks no token before use has been tracked long enough', async () => {
  const world = new World();
  await prepare(world);
  await world.user.delete(refOf(core('configmaps'), 'kube-system', TRACKING));
  await world.run(make);
  const tracking = await world.user.get(refOf(core('configmaps'), 'kube-system', TRACKING));
  expect(tracking).toHaveProperty('data.since');
  expect(await marked(world)).toBeUndefined();
});

test('is marked wherever the cleaner is killed', async () => {
  const check = async (world: World) => expect(await marked(world)).toMatch(/^\d{4}/);
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(2);
});
