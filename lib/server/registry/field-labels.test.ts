import { describe, expect, test } from 'vitest';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { fieldLabelsOf } from './field-labels.ts';
import { STRATEGIES } from './kinds/strategies.ts';

const resources = servedGroupVersions().flatMap((gv) => resourcesOf(gv).filter(({ storage }) => storage !== undefined));
const found = (group: string, kind: string, version = 'v1') => fieldLabelsOf({ group, version, kind });

/** The field selectors that a real server supports for each kind, in addition to name and namespace. */
test.each<[string, string, string[]]>([
  ['', 'Event', ['reason', 'reportingComponent', 'source', 'type', 'involvedObject.kind', 'involvedObject.fieldPath']],
  ['events.k8s.io', 'Event', ['reason', 'type', 'reportingController', 'regarding.kind', 'regarding.fieldPath']],
  ['', 'Pod', ['spec.host', 'spec.nodeName', 'status.phase', 'spec.hostNetwork', 'status.podIPs']],
  ['', 'Node', ['spec.unschedulable']],
  ['', 'Namespace', ['status.phase']],
  ['', 'Secret', ['type']],
  ['', 'Service', ['spec.clusterIP', 'spec.type']],
  ['batch', 'Job', ['status.successful']],
  ['certificates.k8s.io', 'CertificateSigningRequest', ['spec.signerName']],
  ['resource.k8s.io', 'ResourceSlice', ['spec.nodeName', 'spec.driver']],
])('field selectors of %s %s support %j', (group, kind, labels) => {
  expect(Object.keys(found(group, kind).labels)).toEqual(expect.arrayContaining(labels));
});

test.each<[string, string, string, string]>([
  [
    'apps',
    'ReplicaSet',
    'status.replicas',
    '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  ['', 'PersistentVolume', 'name', '"name" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ['', 'Node', 'metadata.namespace', 'field label not supported: metadata.namespace'],
  ['batch', 'Job', 'x', 'field label "x" not supported for Job'],
  ['resource.k8s.io', 'ResourceSlice', 'x', 'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: x'],
])('field selectors of %s %s reject %s', (group, kind, label, text) => {
  const { labels, refuse } = found(group, kind);
  expect(Object.keys(labels)).not.toContain(label);
  expect(refuse(label).message).toBe(text);
});

describe('every label maps to a field that the kind stores', () => {
  test.each(resources.map((facts) => [`${facts.group}/${facts.resource}`, facts] as const))('%s', (_name, facts) => {
    const strategy = STRATEGIES[`${facts.group}/${facts.resource}`] ?? {};
    const { object } = decodeTyped(facts.storage ?? facts, {});
    const kept = ['metadata.name', 'metadata.namespace', ...Object.keys(strategy.selectableFields?.(object) ?? {})];
    expect(kept).toEqual(expect.arrayContaining(Object.values(fieldLabelsOf(facts).labels)));
  });
});
