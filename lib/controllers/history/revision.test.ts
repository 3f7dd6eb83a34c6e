import { expect, test } from 'vitest';
import { DecodeError } from '#lib/api/codec/error.ts';
import { decodedAs } from '#lib/api/testing.ts';
import type { ControllerRevision, StatefulSet } from '#lib/api/types/apps.v1.ts';
import { CONTROLLER_REVISIONS, STATEFUL_SETS } from '#lib/api/types/resources.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { isRevisionOf, restored, revisionFor, templateAt } from './revision.ts';

const DEFAULTS = {
  containers: [],
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  terminationGracePeriodSeconds: 30,
  securityContext: {},
};
const REFERENCE = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u' };

const owner = (spec: JsonObject = {}, name = 'web'): StatefulSet =>
  decodedAs(STATEFUL_SETS, {
    metadata: { name, namespace: 'here', annotations: { note: 'n' } },
    spec: { replicas: 3, template: { metadata: { labels: { app: 'web' } }, spec: { ...DEFAULTS, ...spec } } },
  });
const aRevision = (data: JsonObject): ControllerRevision => decodedAs(CONTROLLER_REVISIONS, { data });

const of = (one: StatefulSet, collisions?: number): ControllerRevision =>
  revisionFor(one, REFERENCE, { hashLabel: 'hash', number: 4, collisions });

test('stores the template as a patch, and names the revision after it', () => {
  const revision = of(owner());
  const hash = nameOf(revision).replace(/^web-/, '');
  expect(revision).toMatchObject({
    metadata: {
      namespace: 'here',
      labels: { app: 'web', hash },
      annotations: { note: 'n' },
      ownerReferences: [REFERENCE],
    },
    data: { spec: { template: { $patch: 'replace', spec: DEFAULTS } } },
    revision: 4,
  });
  expect(nameOf(of(owner()))).toBe(nameOf(revision));
  expect(nameOf(of(owner(), 1))).not.toBe(nameOf(revision));
  expect(nameOf(of(owner({}, 'x'.repeat(253)))).length).toBeLessThanOrEqual(234);
});

test('writes fields in the order that clients compare byte by byte', () => {
  const template = {
    spec: { volumes: [{ name: 'v', emptyDir: {} }], containers: [] },
    metadata: { labels: { b: '', a: '' } },
  };
  const one = decodedAs(STATEFUL_SETS, { metadata: { name: 'web' }, spec: { template } });
  expect(encodeJson(of(one).data)).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"","b":""}},' +
      '"spec":{"containers":[],"volumes":[{"emptyDir":{},"name":"v"}]}}}}',
  );
});

test('restores only the template', () => {
  const revision = of(owner({ hostNetwork: true }));
  const back = restored({ ...owner(), spec: { ...owner().spec, replicas: 9 } }, revision);
  expect(back).toMatchObject({ spec: { replicas: 9, template: { spec: { hostNetwork: true } } } });
  expect(templateAt(revision)).not.toHaveProperty('$patch');
});

test.each<[string, JsonObject, boolean]>([
  ['the same template', DEFAULTS, true],
  ['a template from before a field had a default', { ...DEFAULTS, schedulerName: '' }, true],
  ['another template', { ...DEFAULTS, hostNetwork: true }, false],
  ['a template with an empty list that the owner lacks', { ...DEFAULTS, affinity: {} }, false],
])('computes whether a revision of %s is the owner’s', (_, spec, expected) => {
  const metadata: JsonObject = { labels: { app: 'web' }, creationTimestamp: null };
  const revision = aRevision({ spec: { template: { $patch: 'replace', metadata, spec } } });
  expect(isRevisionOf(owner(), revision)).toBe(expected);
});

test('matches a revision without a template to no owner', () => {
  expect(isRevisionOf(owner(), aRevision({}))).toBe(false);
  expect(isObject(templateAt(decodedAs(CONTROLLER_REVISIONS, {})))).toBe(true);
});

test.each<[string, JsonObject]>([
  ['a spec of text', { spec: 'x' }],
  ['containers of text', { spec: { containers: 'x' } }],
  ['a null among containers', { spec: { containers: [null], volumes: [null] } }],
  ['a quantity of letters', { spec: { containers: [{ name: 'c', resources: { limits: { cpu: 'many' } } }] } }],
  ['a time of letters', { metadata: { creationTimestamp: 'yesterday' } }],
  ['an unknown field', { metadata: { labels: { app: 'web' } }, spec: { ...DEFAULTS, nodes: 3 } }],
])('matches a revision with %s to no owner', (_, template) => {
  expect(isRevisionOf(owner(), aRevision({ spec: { template } }))).toBe(false);
});

test('does not restore data that is not a template', () => {
  expect(() => restored(owner(), aRevision({ spec: { template: { spec: 'x' } } }))).toThrow(DecodeError);
});

test('does not modify the data of a revision', () => {
  const metadata = { creationTimestamp: null, labels: { app: 'web' } };
  const revision = aRevision({
    spec: { template: { $patch: 'replace', metadata, spec: { containers: [{ name: 'c' }] } } },
  });
  const before = encodeJson(revision);
  expect(templateAt(revision).spec.containers).toMatchObject([{ imagePullPolicy: 'IfNotPresent', resources: {} }]);
  expect(encodeJson(revision)).toBe(before);
});
