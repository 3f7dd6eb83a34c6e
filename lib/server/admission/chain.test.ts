import { expect, test } from 'vitest';
import { QuotaLedger } from '#lib/server/policy/resource-quota/ledger.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ByteBudget } from '#lib/storage/cache/budget.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { type AdmissionPorts, selectedPlugins } from './chain.ts';
import { UNCONFIGURED } from './configuration.ts';
import { AdmissionMetrics } from './metrics.ts';
import { isSelected, PLUGIN_NAMES, type PluginSelection, selectionErrors } from './plugin-names.ts';

const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
const store = new MemoryStore({ clock, retention: 1 });
const storage = new ResourceCache({
  sequence: store.sequence('main/control'),
  clock,
  budget: new ByteBudget(1e6, clock),
  summarize: summarizeBody,
});
const absent = (): never => {
  throw new Error('not asked for');
};

function namesOf(plugins: PluginSelection): string[] {
  const ports: AdmissionPorts = {
    storageOf: () => storage,
    cluster: 'main',
    clock,
    quotaLedger: new QuotaLedger({ cluster: 'main', clock, exclusive: true, sequence: (name) => store.sequence(name) }),
    authorizer: async () => ({ decision: 'noOpinion', reason: '' }),
    equivalents: absent,
    resourceOfKind: async () => undefined,
    webhooks: undefined,
    plugins,
    configuration: UNCONFIGURED,
    makeNamespace: async () => {},
    metrics: new AdmissionMetrics(clock),
  };
  return selectedPlugins(ports).map(({ name }) => name);
}

const NONE = { enable: [], disable: [] };
const all = namesOf({ enable: PLUGIN_NAMES, disable: [] });

test("runs plugins in upstream's order", () => {
  const known = all.filter((name) => PLUGIN_NAMES.includes(name));
  expect(known).toEqual(PLUGIN_NAMES.filter((name) => known.includes(name)));
  expect(new Set(known).size).toBe(known.length);
});

test("runs upstream's default plugins and NodeRestriction", () => {
  const on = namesOf(NONE);
  expect(on).toEqual(all.filter((name) => isSelected(name, NONE)));
  expect(on).toContain('PodSecurity');
  expect(on).toContain('NodeRestriction');
  expect(on).not.toContain('AlwaysPullImages');
});

test('enables and disables plugins as configured', () => {
  const names = namesOf({ enable: ['AlwaysPullImages', 'PodSecurity'], disable: ['LimitRanger', 'AlwaysDeny'] });
  expect(names).toEqual(expect.arrayContaining(['AlwaysPullImages', 'PodSecurity']));
  expect(names.filter((name) => name === 'LimitRanger' || name === 'AlwaysDeny')).toEqual([]);
});

test.each([
  [NONE, []],
  [{ enable: ['Nonsense'], disable: [] }, ['enable-admission-plugins plugin "Nonsense" is unknown']],
  [
    { enable: ['LimitRanger'], disable: ['LimitRanger', 'x'] },
    [
      'disable-admission-plugins plugin "x" is unknown',
      '[LimitRanger] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
  ],
])('reports an invalid selection: %o', (selection, faults) => {
  expect(selectionErrors(selection)).toEqual(faults);
});
