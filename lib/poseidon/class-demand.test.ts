import { expect, test } from 'vitest';
import { aNodeInfo, aPod, aPodInfo } from '#lib/scheduler/testing/wrappers.ts';
import { classDemands } from './class-demand.ts';
import { cpuMemory } from './cost-models/cpu-memory.ts';

const CAPACITY = { cpu: '4', memory: '8Gi', pods: '10' };
const SPREAD = {
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'a' } },
    },
  ],
};

test('counts the pods of all nodes in the limits by domain, although a class keeps only its cheapest nodes', () => {
  const of = { labels: { app: 'a' }, requests: { cpu: '1' } };
  const busy = [aPod({ ...of, name: 'x' }), aPod({ ...of, name: 'y' })];
  const infos = [
    aNodeInfo({ name: 'a1', labels: { zone: 'a' }, capacity: CAPACITY }),
    aNodeInfo({ name: 'a2', labels: { zone: 'a' }, capacity: CAPACITY }, ...busy),
    aNodeInfo({ name: 'b1', labels: { zone: 'b' }, capacity: CAPACITY }),
  ];
  const waiting = {
    pod: aPodInfo({ ...of, name: 'p', spec: SPREAD }),
    tasks: [
      { job: 'j', unscheduledCost: 1 },
      { job: 'j', unscheduledCost: 1 },
    ],
    nodes: infos.map((node, index) => ({ node, index, preference: 0 })),
  };
  const [demand] = classDemands([waiting], cpuMemory, 4);
  expect(demand?.machines.map(({ machine }) => machine)).toEqual(['a1', 'b1']);
  expect(demand?.domains).toEqual(
    new Map([
      ['a', 0],
      ['b', 2],
    ]),
  );
});
