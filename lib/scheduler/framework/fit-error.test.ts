import { expect, test } from 'vitest';
import { type Diagnosis, fitErrorMessage } from './fit-error.ts';
import { newStatus } from './status.ts';

const filtered = new Map([
  ['a', newStatus('Unschedulable', 'Too many pods', 'Insufficient cpu')],
  ['b', newStatus('Unschedulable', 'Insufficient cpu')],
  ['c', newStatus('UnschedulableAndUnresolvable', 'node(s) had taints')],
]);
const none = new Map();

test.each<[string, Diagnosis, string]>([
  ['no reasons', { nodes: 0, filtered: none }, '0/0 nodes are available:'],
  [
    'the number of nodes for each reason, sorted by text',
    { nodes: 3, filtered },
    '0/3 nodes are available: 1 Too many pods, 1 node(s) had taints, 2 Insufficient cpu.',
  ],
  [
    'the status of nodes that were not checked',
    { nodes: 14, filtered, absent: newStatus('Unschedulable', 'Insufficient cpu') },
    '0/14 nodes are available: 1 Too many pods, 1 node(s) had taints, 13 Insufficient cpu.',
  ],
  [
    'the message of PreFilter instead of node reasons',
    { nodes: 3, filtered, preFilter: 'no such claim', postFilter: 'preemption: no' },
    '0/3 nodes are available: no such claim. preemption: no',
  ],
])('formats the message with %s', (_, diagnosis, expected) => expect(fitErrorMessage(diagnosis)).toBe(expected));
