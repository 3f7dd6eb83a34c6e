import { expect, test } from 'vitest';
import { isObject, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { isRevisionOf, restored, revisionFor, templateAt } from './revision.ts';

const DEFAULTS = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  terminationGracePeriodSeconds: 30,
  securityContext: {},
};

const owner = (spec: JsonObject = {}, name = 'web'): JsonObject => ({
  metadata: { name, namespace: 'here', annotations: { note: 'n' } },
  spec: { replicas: 3, template: { metadata: { labels: { app: 'web' } }, spec: { ...DEFAULTS, ...spec } } },
});

const of = (one: JsonObject, collisions?: number): JsonObject =>
  revisionFor(one, { uid: 'u' }, { hashLabel: 'hash', number: 4, collisions });

test('a revision keeps the template as a patch, and is named after it', () => {
  const revision = of(owner());
  const hash = nameOf(revision).replace(/^web-/, '');
  expect(revision).toMatchObject({
    metadata: {
      namespace: 'here',
      labels: { app: 'web', hash },
      annotations: { note: 'n' },
      ownerReferences: [{ uid: 'u' }],
    },
    data: { spec: { template: { $patch: 'replace', spec: DEFAULTS } } },
    revision: 4,
  });
  expect(nameOf(of(owner()))).toBe(nameOf(revision));
  expect(nameOf(of(owner(), 1))).not.toBe(nameOf(revision));
  expect(nameOf(of(owner({}, 'x'.repeat(253)))).length).toBeLessThanOrEqual(234);
});

test('fields stand in the order in which clients write them, who compare texts', () => {
  const template = {
    spec: { volumes: [{ name: 'v', emptyDir: {} }], containers: [] },
    metadata: { labels: { b: '', a: '' } },
  };
  expect(encodeJson(objectAt(of({ metadata: { name: 'web' }, spec: { template } }), 'data') ?? {})).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"","b":""}},' +
      '"spec":{"containers":[],"volumes":[{"emptyDir":{},"name":"v"}]}}}}',
  );
});

test('it brings its template back, and nothing else', () => {
  const revision = of(owner({ hostNetwork: true }));
  const back = restored({ ...owner(), spec: { ...objectAt(owner(), 'spec'), replicas: 9 } }, revision);
  expect(back).toMatchObject({ spec: { replicas: 9, template: { spec: { hostNetwork: true } } } });
  expect(templateAt(revision)).not.toHaveProperty('$patch');
});

test.each<[string, JsonObject, boolean]>([
  ['the same template', DEFAULTS, true],
  ['one from before a field had a default', { ...DEFAULTS, schedulerName: '' }, true],
  ['another', { ...DEFAULTS, hostNetwork: true }, false],
  ['one that has an empty list where this has none', { ...DEFAULTS, affinity: {} }, false],
])('%s', (_, spec, expected) => {
  const metadata: JsonObject = { labels: { app: 'web' }, creationTimestamp: null };
  const revision = { data: { spec: { template: { $patch: 'replace', metadata, spec } } } };
  expect(isRevisionOf(owner(), revision)).toBe(expected);
});

test('what is no revision of a template is one of none', () => {
  expect(isRevisionOf(owner(), { data: {} })).toBe(false);
  expect(isObject(templateAt({}))).toBe(true);
});
