import { expect, test } from 'vitest';
import { aNodeInfo, aPod, aPodInfo } from '../testing/wrappers.ts';

const claiming = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
const apart = {
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } },
};

test('adds the requests of added pods and subtracts those of removed pods', () => {
  const node = aNodeInfo({ capacity: { cpu: '4', pods: '110' } }, aPod({ name: 'a', requests: { cpu: '1' } }));
  const b = aPodInfo({ name: 'b', requests: { cpu: '500m', 'x.io/y': '1' }, spec: { ...claiming, ...apart } });
  node.addPod(b);
  expect(node.allocatable).toMatchObject({ milliCpu: 4000, allowedPodNumber: 110 });
  expect(node.claimUsers.get('default/data')).toBe(1);
  expect([...node.podsWithRequiredAntiAffinity]).toEqual([b]);

  expect([node.removePod(b), node.removePod(b)]).toEqual([true, false]);
  expect(node.requested.scalar.get('x.io/y')).toBe(0);
  expect(node.claimUsers.size + node.podsWithAffinity.size).toBe(0);
});

test('replaces the earlier state of a pod that is added again', () => {
  const node = aNodeInfo({}, aPod({ requests: { cpu: '1' } }));
  node.addPod(aPodInfo({ requests: { cpu: '2' } }));
  expect(node.requested.milliCpu).toBe(2000);
  expect(node.pods.size).toBe(1);
});

test('changes a copy independently and gives each change its own generation', () => {
  const node = aNodeInfo();
  const copy = node.clone();
  expect(copy.generation).toBe(node.generation);
  copy.addPod(aPodInfo({ requests: { cpu: '1' } }));
  expect([node.pods.size, node.requested.milliCpu]).toEqual([0, 0]);
  expect(copy.generation).toBeGreaterThan(node.generation);
});
