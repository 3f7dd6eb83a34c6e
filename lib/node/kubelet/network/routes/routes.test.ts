import { describe, expect, test } from 'vitest';
import { aNode } from '../testing.ts';
import { type RouteTable, syncRoutes } from './route-sync.ts';
import { type PodRoute, wantedRoutes } from './wanted-routes.ts';

const node = (name: string, cidrs: readonly string[], addresses: readonly string[]) =>
  aNode(name, { spec: { podCIDRs: [...cidrs] }, addresses });
const SELF = node('n1', ['10.244.1.0/24'], ['10.100.0.1']);
const of = (...others: ReturnType<typeof node>[]) => {
  const { routes, faults } = wantedRoutes([...others, SELF], 'n1', ['10.244.1.0/24']);
  return [routes.map(({ destination, gateway }) => `${destination} ${gateway}`), [...faults]];
};

describe('the routes of a node', () => {
  test('routes to the pods of each other node via its address of the same family', () => {
    expect(of(node('n2', ['10.244.2.0/24', 'fd00:2::/64'], ['10.100.0.2', 'fd01::2']))).toEqual([
      ['10.244.2.0/24 10.100.0.2', 'fd00:2::/64 fd01::2'],
      [],
    ]);
  });

  test('creates no route to a node without a range', () =>
    expect(of(node('n2', [], ['10.100.0.2']))).toEqual([[], []]));

  test.each([
    [
      'without an address of the family',
      node('n2', ['10.244.2.0/24'], ['fd01::2']),
      'the node has no InternalIP of the family of 10.244.2.0/24',
    ],
    [
      'that covers all addresses',
      node('n2', ['0.0.0.0/0'], ['10.100.0.2']),
      '0.0.0.0/0 covers the address 10.100.0.2 of a node',
    ],
    [
      'that covers another node’s address',
      node('n2', ['10.100.0.0/30'], ['10.200.0.1']),
      '10.100.0.0/30 covers the address 10.100.0.1 of a node',
    ],
    [
      'that overlaps this node’s pods',
      node('n2', ['10.244.0.0/16'], ['10.100.0.2']),
      '10.244.0.0/16 overlaps 10.244.1.0/24 of node n1',
    ],
  ])('creates no route to a range %s', (_, other, fault) => expect(of(other)).toEqual([[], [['n2', fault]]]));

  test('routes to the first of two nodes with the same range', () => {
    expect(of(node('n3', ['10.244.2.0/24'], ['10.100.0.3']), node('n2', ['10.244.2.0/24'], ['10.100.0.2']))).toEqual([
      ['10.244.2.0/24 10.100.0.2'],
      [['n3', '10.244.2.0/24 overlaps 10.244.2.0/24 of node n2']],
    ]);
  });
});

class Table implements RouteTable {
  readonly log: string[] = [];
  readonly #there: readonly PodRoute[];
  constructor(...there: readonly PodRoute[]) {
    this.#there = there;
  }
  list = () => Promise.resolve(this.#there);
  add({ destination, gateway }: PodRoute) {
    this.log.push(`add ${destination} ${gateway}`);
    return destination.startsWith('192.') ? Promise.reject(new Error('File exists')) : Promise.resolve();
  }
  remove({ destination, gateway }: PodRoute) {
    this.log.push(`remove ${destination} ${gateway}`);
    return Promise.resolve();
  }
}
const route = (destination: string, gateway: string): PodRoute => ({ destination, gateway });

test('updates only differing routes, and continues after a failure', async () => {
  const table = new Table(route('10.1.0.0/24', 'a'), route('10.2.0.0/24', 'b'), route('10.3.0.0/24', 'c'));
  const wanted = [
    route('10.1.0.0/24', 'a'),
    route('10.2.0.0/24', 'x'),
    route('192.0.2.0/24', 'd'),
    route('10.4.0.0/24', 'e'),
  ];
  expect([...(await syncRoutes(table, wanted))]).toEqual([['192.0.2.0/24', 'File exists']]);
  expect(table.log).toEqual([
    'remove 10.2.0.0/24 b',
    'remove 10.3.0.0/24 c',
    'add 10.2.0.0/24 x',
    'add 192.0.2.0/24 d',
    'add 10.4.0.0/24 e',
  ]);
});
