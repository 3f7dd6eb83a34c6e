import { expect, test } from 'vitest';
import { type ResourceFacts, resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { decodedAs } from '#lib/api/testing.ts';
import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { asAdded, asGone, keysAround, remind } from '#lib/controllers/first-hop.ts';
import { OWNING } from '#lib/controllers/reminders.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { builtInReconcilers, ControllerTokens } from './wiring.ts';

const clock = new ManualClock();
const tokens = new ControllerTokens();
const { server } = serverInProcess({ clock, tokens: new Map(tokens.users()) });
const events = new EventCorrelator(clock);
const OPTIONS = {
  events,
  authority: '',
  address: { host: '127.0.0.1', port: 1 },
  clock,
  controllers: ['*'],
  nodeRanges: [],
};

/** Every reconciler, before its first change. */
const reconcilers = (): readonly Reconciler[] => builtInReconcilers(server, tokens, OPTIONS);

const stored = servedGroupVersions()
  .flatMap(resourcesOf)
  .filter(({ storage, version }) => storage?.version === version);

const placeOf = ({ group, resource, namespaced }: ResourceFacts) => ({
  group,
  resource,
  namespace: namespaced ? 'team' : '',
  name: 'web',
});

function added(facts: ResourceFacts): ObjectChange {
  const { namespace, name } = placeOf(facts);
  return asAdded(facts, decodedAs(facts, { metadata: { ...(namespace === '' ? {} : { namespace }), name, uid: 'u' } }));
}

/** Calls `tell` with every reconciler and resource. Returns the errors, each with the names of both. */
async function faultsOf(tell: (reconciler: Reconciler, facts: ResourceFacts) => unknown): Promise<string[]> {
  const faults: string[] = [];
  for (const facts of stored)
    for (const reconciler of reconcilers())
      try {
        await tell(reconciler, facts);
      } catch (error) {
        faults.push(`${reconciler.name} ${facts.group}/${facts.resource}: ${String(error)}`);
      }
  return faults;
}

test('finds the keys of a deletion from only its log position', async () => {
  expect(stored.length).toBeGreaterThan(50);
  expect(await faultsOf((reconciler, facts) => reconciler.keys(asGone(placeOf(facts))))).toEqual([]);
});

test('finds the keys of a deletion from the position of an object seen before', async () => {
  const faults = await faultsOf((reconciler, facts) => {
    reconciler.keys(added(facts));
    return reconciler.keys(asGone(placeOf(facts)));
  });
  expect(faults).toEqual([]);
});

test('finds the keys around a deletion from only its log position', async () => {
  const read = async () => [];
  const faults = await faultsOf((reconciler, facts) => {
    const gone = asGone(placeOf(facts));
    return keysAround(reconciler, gone, { read, owned: async () => [gone] });
  });
  expect(faults).toEqual([]);
});

test.each(Object.entries(OWNING))('notifies %s of dependents with only their metadata', async (name, owning) => {
  const owner = decodedAs(owning.owners, { metadata: { namespace: 'team', name: 'web', uid: 'u' } });
  const answers: Pick<Client, 'get'> = { get: async () => owner };
  const keys = owning.dependents.map(({ group, resource }) => `main/${group}/${resource}/team/web-1`);
  const index = { dependents: async () => keys };
  const reconciler = reconcilers().find((one) => one.name === name);
  expect(reconciler).toBeDefined();
  if (reconciler !== undefined) await remind(reconciler, 'team/web', { client: answers as Client, index });
});
