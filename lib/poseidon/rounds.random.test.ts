import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NodeOf, PodOf } from '#lib/scheduler/testing/wrappers.ts';
import { settledWorld } from './testing.ts';

const RUNS = process.env['DAVIT_FULL'] === undefined ? 200 : 2000;
const HOSTNAME = 'kubernetes.io/hostname';
const TAINT = { key: 'special', value: 'yes', effect: 'NoSchedule' };

interface World {
  readonly nodes: readonly { cpu: number; memory: number; pods: number; zone: number; isTainted: boolean }[];
  readonly groups: readonly {
    readonly count: number;
    readonly cpu: number;
    readonly memory: number;
    readonly priority: number;
    readonly zone: number | undefined;
    readonly tolerates: boolean;
    readonly port: number | undefined;
    /** The topology key of the anti-affinity between pods of the group. */
    readonly apart: string | undefined;
  }[];
}

const world: fc.Arbitrary<World> = fc.record({
  nodes: fc.array(
    fc.record({
      cpu: fc.integer({ min: 1, max: 6 }),
      memory: fc.integer({ min: 1, max: 6 }),
      pods: fc.integer({ min: 1, max: 6 }),
      zone: fc.integer({ min: 0, max: 2 }),
      isTainted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  groups: fc.array(
    fc.record({
      count: fc.integer({ min: 1, max: 8 }),
      cpu: fc.integer({ min: 0, max: 3 }),
      memory: fc.integer({ min: 0, max: 3 }),
      priority: fc.integer({ min: 0, max: 2 }),
      zone: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
      tolerates: fc.boolean(),
      port: fc.option(fc.constantFrom(80, 81), { nil: undefined }),
      apart: fc.option(fc.constantFrom(HOSTNAME, 'zone'), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

const nodesOf = ({ nodes }: World): NodeOf[] =>
  nodes.map(({ cpu, memory, pods, zone, isTainted }, i) => ({
    name: `n${i}`,
    labels: { [HOSTNAME]: `n${i}`, zone: `z${zone}` },
    capacity: { cpu: `${cpu}`, memory: `${memory}Gi`, pods: `${pods}` },
    ...(isTainted ? { taints: [TAINT] } : {}),
  }));

const podsOf = ({ groups }: World): PodOf[] =>
  groups.flatMap(({ count, cpu, memory, priority, zone, tolerates, port, apart }, group) =>
    Array.from({ length: count }, (_, i) => ({
      name: `g${group}-${i}`,
      labels: { group: `${group}` },
      priority,
      requests: { cpu: `${cpu}`, memory: `${memory}Gi` },
      ...(port === undefined ? {} : { hostPorts: [port] }),
      spec: {
        ...(zone === undefined ? {} : { nodeSelector: { zone: `z${zone}` } }),
        ...(tolerates ? { tolerations: [{ key: 'special', operator: 'Exists' }] } : {}),
        ...(apart === undefined ? {} : { affinity: antiAffinity(group, apart) }),
      },
    })),
  );

const antiAffinity = (group: number, topologyKey: string) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey, labelSelector: { matchLabels: { group: `${group}` } } },
    ],
  },
});

/** The violations of hard constraints among the placements, as text. */
function violations({ nodes, groups }: World, bound: ReadonlyMap<string, string>): string[] {
  const placed = Array.from(bound, ([name, nodeName]) => {
    const at = Number(nodeName.slice(1));
    const index = Number(name.slice(1, name.indexOf('-')));
    const [node, group] = [nodes[at], groups[index]];
    if (node === undefined || group === undefined) throw new TypeError(`${name} on ${nodeName}`);
    return { name, at, index, node, group };
  });
  const alone = placed.flatMap(({ name, node, group }) => [
    ...(node.isTainted && !group.tolerates ? [`${name} does not tolerate the taint`] : []),
    ...(group.zone !== undefined && group.zone !== node.zone ? [`${name} is in another zone`] : []),
  ]);
  const together = nodes.flatMap((node, at) => {
    const here = placed.filter((one) => one.at === at);
    const sum = (of: 'cpu' | 'memory'): number => here.reduce((total, { group }) => total + group[of], 0);
    const ports = here.flatMap(({ group }) => group.port ?? []);
    return [
      ...(sum('cpu') > node.cpu ? [`n${at} has too little CPU`] : []),
      ...(sum('memory') > node.memory ? [`n${at} has too little memory`] : []),
      ...(here.length > node.pods ? [`n${at} has too many pods`] : []),
      ...(new Set(ports).size < ports.length ? [`n${at} has a host port twice`] : []),
    ];
  });
  const apart = placed.flatMap((a) =>
    placed
      .filter((b) => a.index === b.index && a.name < b.name && a.group.apart !== undefined)
      .filter((b) => (a.group.apart === HOSTNAME ? a.at === b.at : a.node.zone === b.node.zone))
      .map((b) => `${a.name} and ${b.name} exclude each other`),
  );
  return [...alone, ...together, ...apart];
}

test('violates no hard constraint, and places or refuses every pod, in random worlds', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const pods = podsOf(given);
      const { bound, refused } = await settledWorld({ nodes: nodesOf(given), pods });
      expect(violations(given, bound)).toEqual([]);
      expect(bound.size + refused.size).toBe(pods.length);
    }),
    { numRuns: RUNS },
  );
}, 600_000);
