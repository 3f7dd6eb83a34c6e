import { expect, test } from 'vitest';
import { ChangeSequence } from './change-sequence.ts';

const FIRST = {
  nodes: 3,
  supply: { 1: 2, 3: -2 },
  arcs: [
    [1, 2, 5, 1],
    [2, 3, 5, 1],
    [1, 3, 1, 1],
  ],
};

function costs(...lines: readonly unknown[]): (number | string)[] {
  const sequence = new ChangeSequence();
  return lines.map((line) => {
    const verdict = sequence.apply(JSON.stringify(line));
    return verdict === 'optimal' ? sequence.graph.totalCost() : verdict;
  });
}

test('solves after each change: arcs set, replaced and removed, nodes added, supplies changed', () => {
  const changes = [
    { nodes: 3, set: [[1, 3, 2, 1]] },
    { nodes: 4, set: [[4, 3, 1, 7]], supply: { 4: 1, 3: -3 } },
    { nodes: 4, remove: [[4, 3]] },
    { nodes: 4, set: [[4, 1, 1, 0]] },
  ];
  expect(costs(FIRST, ...changes)).toEqual([3, 2, 9, 'infeasible', 4]);
});

test.each([
  ['[]', 'line 2: expected an object'],
  ['{', 'line 2: not JSON as expected'],
  ['{"nodes":2}', 'line 2: "nodes" is no integer from 3 to 8000000'],
  ['{"nodes":9000000}', 'line 2: "nodes" is no integer from 3 to 8000000'],
  ['{"nodes":3,"remove":[[3,1]]}', 'line 2: no arc 3 -> 1 to remove'],
  ['{"nodes":3,"set":[[1,4,1,1]]}', 'line 2: no node "4"; nodes are 1 to 3'],
  ['{"nodes":3,"set":[[1,2,1]]}', 'line 2: expected [from, to, capacity, cost] of integers below 2^53'],
  [
    '{"nodes":3,"set":[[1,2,1,9007199254740993]]}',
    'line 2: expected [from, to, capacity, cost] of integers below 2^53',
  ],
  ['{"nodes":3,"set":[[1,2,-1,1]]}', 'line 2: arc 1 -> 2: no flow is within 0 and -1'],
  ['{"nodes":3,"supply":{"x":1}}', 'line 2: no node "x"; nodes are 1 to 3'],
  ['{"nodes":3,"supply":{"1":"2"}}', 'line 2: the supply of node 1 is not an integer below 2^53'],
  ['{"nodes":3,"supply":{"1":0.5}}', 'line 2: the supply of node 1: 0.5 is not an integer below 2^53'],
])('rejects the line %s', (line, message) => {
  const sequence = new ChangeSequence();
  sequence.apply(JSON.stringify(FIRST));
  expect(() => sequence.apply(line)).toThrow(message);
});
