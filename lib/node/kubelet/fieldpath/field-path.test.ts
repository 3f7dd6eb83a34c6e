import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { extractFieldPath } from './field-path.ts';
import { podFieldValue } from './pod-field.ts';

const pod = decodedAs(PODS, {
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u-1',
    labels: { tier: 'front', 'example.com/app': 'web "1"\n' },
    annotations: { builder: 'john-doe', 'Www.k8s.io/Test': '' },
  },
  spec: { nodeName: 'n1', serviceAccountName: 'robot', containers: [] },
});

test.each([
  ['metadata.name', 'web'],
  ['metadata.namespace', 'shop'],
  ['metadata.uid', 'u-1'],
  ['metadata.labels', 'example.com/app="web \\"1\\"\\n"\ntier="front"'],
  ['metadata.annotations', 'Www.k8s.io/Test=""\nbuilder="john-doe"'],
  ["metadata.labels['tier']", 'front'],
  ["metadata.labels['none']", ''],
  ["metadata.labels['toString']", ''],
  ["metadata.annotations['Www.k8s.io/Test']", ''],
])('extracts %s as %j', (path, value) => {
  expect(extractFieldPath(pod, path)).toBe(value);
});

test.each([
  ['spec.nodeName', 'unsupported fieldPath: spec.nodeName'],
  ['', 'unsupported fieldPath: '],
  ["metadata.name['x']", 'fieldPath "metadata.name[\'x\']" does not support subscript'],
  ["metadata.labels['a b']", "invalid key subscript in metadata.labels['a b']: "],
  ["metadata.labels['']", "invalid key subscript in metadata.labels['']: "],
])('rejects the field path %j', (path, message) => {
  expect(() => extractFieldPath(pod, path)).toThrow(message);
});

const addresses = { podIPs: ['10.0.0.1', 'fd00::1'], hostIPs: () => ['192.0.2.7', '2001:db8::7'] };

test.each([
  ['spec.nodeName', 'n1'],
  ['spec.host', 'n1'],
  ['spec.serviceAccountName', 'robot'],
  ['status.hostIP', '192.0.2.7'],
  ['status.hostIPs', '192.0.2.7,2001:db8::7'],
  ['status.podIP', '10.0.0.1'],
  ['status.podIPs', '10.0.0.1,fd00::1'],
  ['metadata.uid', 'u-1'],
])('sets an environment variable from %s to %j', (fieldPath, value) => {
  expect(podFieldValue(pod, { apiVersion: 'v1', fieldPath }, addresses)).toBe(value);
});

test.each([
  ['v2', 'metadata.name', 'unsupported pod version: v2'],
  ['v1', 'status.qosClass', 'field label not supported: status.qosClass'],
  ['v1', "spec.nodeName['a']", "field label does not support subscript: spec.nodeName['a']"],
  ['v1', 'status.phase', 'unsupported fieldPath: status.phase'],
])('rejects an environment variable from %s %s', (apiVersion, fieldPath, message) => {
  expect(() => podFieldValue(pod, { apiVersion, fieldPath }, addresses)).toThrow(message);
});

test('returns an empty status.podIP for a pod without addresses', () => {
  const none = { podIPs: [], hostIPs: () => [] };
  expect(podFieldValue(pod, { apiVersion: 'v1', fieldPath: 'status.podIP' }, none)).toBe('');
  expect(podFieldValue(pod, { apiVersion: 'v1', fieldPath: 'status.podIPs' }, none)).toBe('');
});
