import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { aHandle, aNode, aPodInfo, aSnapshot, type HandleOf } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import type { NodeScore } from '../../interface.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import { podTopologySpreadArgs } from './args.ts';
import { HOSTNAME } from './constraints.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { BAR, FOO, inZones, labelsOf, onNodes, soft, spreading } from './testing.ts';

/** The scores of the named nodes in this order, or of all nodes if no names are given. */
function scores(pod: Pod, nodes: Node[], pods: Pod[], { names = '', ...of }: HandleOf & { names?: string } = {}) {
  const snapshot = aSnapshot(nodes, pods);
  const plugin = podTopologySpread(podTopologySpreadArgs.parse({}), aHandle({ snapshot, ...of }));
  const [state, info] = [new CycleState(), podInfoOf(pod)];
  const left = snapshot.nodes.filter(({ name }) => names === '' || names.includes(name));
  const status = plugin.preScore?.(state, info, left);
  if (status !== undefined) return status.code;
  const list = left.map((node): NodeScore => ({ name: node.name, score: Number(plugin.score?.(state, info, node)) }));
  plugin.normalizeScore?.(state, info, list);
  return list.map(({ score }) => score).join(' ');
}

describe('the score of PodTopologySpread', () => {
  const host = [soft(HOSTNAME)];
  const zone = [soft('zone')];
  const apart = [soft('zone'), soft(HOSTNAME, { labelSelector: BAR })];
  const some = 'a:foo a:foo b:foo y:foo y:foo y:foo';
  const falling = 'a:foo a:foo a:foo a:foo b:foo b:foo b:foo x:foo x:foo y:foo';
  const many = 'a:foo a:foo a:foo a:foo b:foo b:foo x:foo y:foo y:foo y:foo';
  const mixed = 'a:foo b:foo,bar y:foo y:bar';

  test.each<[string, JsonObject[], string, string, string]>([
    ['no pods', host, '', '', '100 100 100 100'],
    ['one node', host, 'a:foo a:foo b:foo', 'a', '100'],
    ['equal nodes', host, 'a:foo b:foo x:foo y:foo', '', '100 100 100 100'],
    ['hosts', host, some, '', '20 60 100 0'],
    ['no selector', [soft(HOSTNAME, { labelSelector: null })], some, '', '100 100 100 100'],
    ['more skew matters less', [soft(HOSTNAME, { maxSkew: 2 })], some, '', '33 66 100 16'],
    ['still more skew', [soft(HOSTNAME, { maxSkew: 3 })], falling, '', '44 66 77 100'],
    ['three feasible nodes', host, many, 'abx', '33 83 100'],
    ['zones of three feasible nodes', zone, many, 'abx', '75 75 100'],
    [
      'zones and hosts',
      [soft('zone'), soft(HOSTNAME)],
      'a:foo a:foo b:foo x:foo x:foo y:foo y:foo y:foo y:foo',
      'ax',
      '100 63',
    ],
    [
      'zones for different pods',
      [soft('zone'), soft('zone', { labelSelector: BAR })],
      'a:foo,bar a:foo b:foo,bar y:foo y:foo,bar y:foo',
      'ax',
      '85 100',
    ],
    ['zones and hosts for different pods', apart, mixed, '', '60 20 100 60'],
    ['some domains without pods', apart, 'b:bar x:foo y:foo,bar', '', '100 60 40 0'],
    ['three feasible nodes for different pods', apart, mixed, 'abx', '50 25 100'],
    [
      'minDomains has no effect',
      [soft('node', { maxSkew: 2, minDomains: 10 })],
      'a:foo a:foo b:foo b:foo x:foo',
      'abx',
      '75 75 100',
    ],
    [
      'label keys that match',
      [
        soft('zone', { labelSelector: {}, matchLabelKeys: ['foo'] }),
        soft(HOSTNAME, { labelSelector: {}, matchLabelKeys: ['bar'] }),
      ],
      'a:foo b:foo,bar x:foo x:bar',
      '',
      '60 20 60 100',
    ],
  ])('scores nodes with fewer matching pods higher: %s', (_, constraints, pods, names, expected) => {
    expect(scores(spreading(constraints), inZones(), onNodes(pods), { names })).toBe(expected);
  });

  test('scores nodes without the key 0 and ignores their pods', () => {
    const nodes = inZones().map((node) => (nameOf(node) === 'b' ? aNode({ name: 'b' }) : node));
    expect(scores(spreading(host), nodes, onNodes(many), { names: 'abx' })).toBe('16 0 100');
  });

  test.each<[string, Pod[]]>([
    ['of other namespaces', onNodes('b:foo', { namespace: 'other', uid: 'u' })],
    ['that are terminating', onNodes('b:foo', { deleted: '2026-01-01T00:00:00Z', uid: 'u' })],
  ])('does not count pods %s', (_, more) => {
    expect(scores(spreading(host), inZones(), [...onNodes('a:foo'), ...more], { names: 'ab' })).toBe('0 100');
  });
});

describe('PodTopologySpread: eligible nodes in Score', () => {
  const labelled = {
    a: { labels: { foo: '' } },
    b: { labels: { foo: '' } },
    x: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
  };
  const selecting = { spec: { nodeSelector: { foo: '' } } };

  test.each<[string, Pod, string]>([
    ['only those that match the node selector', spreading([soft('node')], selecting), '0 33 100'],
    [
      'all if the policy ignores the node selector',
      spreading([soft('node', { nodeAffinityPolicy: 'Ignore' })], selecting),
      '66 100 100',
    ],
    ['only those without taints', spreading([soft('node', { nodeTaintsPolicy: 'Honor' })]), '0 33 100'],
    ['all because taints are ignored', spreading([soft('node')]), '66 100 100'],
  ])('counts nodes: %s', (_, pod, expected) => {
    expect(scores(pod, inZones(labelled), onNodes('a:foo a:foo b:foo x:foo'), { names: 'abx' })).toBe(expected);
  });
});

describe('PodTopologySpread: system default constraints', () => {
  const plain = aPodInfo({ name: 'p', labels: labelsOf('foo') }).pod;
  const selecting = (selector: JsonObject): JsonObject => ({
    metadata: { name: 'o', namespace: 'default' },
    spec: { selector },
  });
  const ownedBy = (apiVersion: string, kind: string): Pod =>
    aPodInfo({
      name: 'p',
      labels: labelsOf('foo'),
      metadata: { ownerReferences: [{ apiVersion, kind, name: 'o', uid: 'o', controller: true }] },
    }).pod;
  const pods = onNodes('a:foo a:foo a:foo a:foo b:foo b:foo b:foo x:foo x:foo y:foo');
  const hosts = ['a', 'b', 'x', 'y'].map((name) => aNode({ name, labels: { [HOSTNAME]: name } }));

  test.each<[string, Pod, HandleOf['objects'], string]>([
    ['a service', plain, { services: [selecting({ foo: '' })] }, '44 66 77 100'],
    ['a replica set', ownedBy('apps/v1', 'ReplicaSet'), { replicasets: [selecting(FOO)] }, '44 66 77 100'],
    ['a stateful set', ownedBy('apps/v1', 'StatefulSet'), { statefulsets: [selecting(FOO)] }, '44 66 77 100'],
    [
      'a replication controller',
      ownedBy('v1', 'ReplicationController'),
      { replicationcontrollers: [selecting({ foo: '' })] },
      '44 66 77 100',
    ],
    ['a job (no default constraints)', ownedBy('batch/v1', 'Job'), {}, 'Skip'],
    ['a replica set that is gone', ownedBy('apps/v1', 'ReplicaSet'), {}, 'Skip'],
    ['a service without a selector', plain, { services: [{ ...selecting({}), spec: {} }] }, 'Skip'],
    ['a service of others', plain, { services: [selecting({ bar: '' })] }, 'Skip'],
    [
      'a service and a replica set of others',
      ownedBy('apps/v1', 'ReplicaSet'),
      { services: [selecting({ foo: '' })], replicasets: [selecting(BAR)] },
      '100 100 100 100',
    ],
  ])('spread the pods of %s over hosts without zones', (_, pod, objects, expected) => {
    expect(scores(pod, hosts, pods, objects === undefined ? {} : { objects })).toBe(expected);
  });
});

test('skips Score without soft constraints', () => {
  expect(scores(spreading([{ ...soft('zone'), whenUnsatisfiable: 'DoNotSchedule' }]), inZones(), [])).toBe('Skip');
  expect(scores(spreading([soft('zone')]), [], [])).toBe('Skip');
});
