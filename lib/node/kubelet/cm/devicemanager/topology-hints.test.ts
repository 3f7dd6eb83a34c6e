import { expect, test } from 'vitest';
import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { aContainer, aDevice, ManagerFixture, podOf } from './testing.ts';

const GPU = 'example.com/gpu';

interface HintCase {
  readonly name: string;
  readonly list: readonly Device[];
  readonly request: number;
  /** Number of devices that another pod already has. */
  readonly taken?: number;
  /** `affinity*` for each hint, with a star if preferred. Undefined for no preference. */
  readonly hints: readonly string[] | undefined;
}

test.each<HintCase>([
  {
    name: 'devices without nodes have no preference',
    list: [aDevice('a'), aDevice('b')],
    request: 1,
    hints: undefined,
  },
  {
    name: 'one device may come from either node',
    list: [aDevice('a', 0), aDevice('b', 1)],
    request: 1,
    hints: ['1*', '2*', '3'],
  },
  { name: 'two devices of two nodes need both', list: [aDevice('a', 0), aDevice('b', 1)], request: 2, hints: ['3*'] },
  {
    name: 'two devices prefer the node that has both',
    list: [aDevice('a', 0), aDevice('b', 0), aDevice('c', 1)],
    request: 2,
    hints: ['1*', '3'],
  },
  {
    name: 'a node without free devices is excluded, and both nodes are not preferred',
    list: [aDevice('a', 0), aDevice('b', 0), aDevice('c', 1)],
    request: 2,
    taken: 1,
    hints: ['3'],
  },
  { name: 'too few devices have no hint', list: [aDevice('a', 0)], request: 2, hints: [] },
  { name: 'nodes without devices are excluded', list: [aDevice('a', 1), aDevice('b', 1)], request: 1, hints: ['2*'] },
  {
    name: 'nodes that the machine lacks are excluded',
    list: [aDevice('a', 0), aDevice('b', 7)],
    request: 1,
    hints: ['1*'],
  },
  {
    name: 'unhealthy devices only affect the preference',
    list: [aDevice('a', 0, 'Unhealthy'), aDevice('b', 0), aDevice('c', 1)],
    request: 2,
    hints: ['3'],
  },
])('computes hints: $name', async ({ list, request, taken = 0, hints }) => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, list);
  if (taken > 0) await fixture.admit(podOf('before', [aContainer('app', { [GPU]: taken })]));
  const container = aContainer('app', { [GPU]: request, cpu: 1 });
  const pod = podOf('p', [container]);
  fixture.pods.push(pod);
  for (const given of [fixture.manager.getTopologyHints(pod, container), fixture.manager.getPodTopologyHints(pod)]) {
    const shown = given.get(GPU)?.map(({ affinity, preferred }) => `${affinity}${preferred ? '*' : ''}`);
    expect([...given.keys()]).toEqual([GPU]);
    expect(shown).toEqual(hints);
  }
});

test('offers only the current devices of a container', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, [aDevice('a', 0), aDevice('b', 1)]);
  const container = aContainer('app', { [GPU]: 1 });
  const pod = podOf('p', [container]);
  await fixture.admit(pod);
  const hint = [
    { affinity: 1n, preferred: true },
    { affinity: 3n, preferred: false },
  ];
  expect(fixture.manager.getTopologyHints(pod, container).get(GPU)).toEqual(hint);
  expect(fixture.manager.getPodTopologyHints(pod).get(GPU)).toEqual(hint);
  expect(fixture.manager.getTopologyHints(pod, aContainer('app', { [GPU]: 2 })).get(GPU)).toEqual([]);
});

test('includes the devices of earlier init containers in a container’s hints', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, [aDevice('a', 0), aDevice('b', 1)]);
  const pod = podOf('p', [aContainer('app', { [GPU]: 2 })], [aContainer('init', { [GPU]: 2 })]);
  fixture.pods.push(pod);
  await fixture.manager.allocate(pod, aContainer('init', { [GPU]: 2 }));
  expect(fixture.manager.getTopologyHints(pod, aContainer('app', { [GPU]: 2 })).get(GPU)).toEqual([
    { affinity: 3n, preferred: true },
  ]);
});
