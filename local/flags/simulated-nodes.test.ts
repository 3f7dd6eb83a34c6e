import { Command } from 'commander';
import { expect, test } from 'vitest';
import { type SimulatedNodesFlags, simulatedNodesFlags, simulatedNodesOf } from './simulated-nodes.ts';

function parse(...argv: string[]): number | undefined {
  const command = simulatedNodesFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr() {} });
  return simulatedNodesOf(command.parse(argv, { from: 'user' }).opts<SimulatedNodesFlags>()).simulatedNodes;
}

test.each([
  [[], 0],
  [['--simulated-nodes', '3'], 3],
])('reads the number from %j', (argv, expected) => expect(parse(...argv)).toBe(expected));

test.each(['x', '-1', '1.5', '99999'])('rejects --simulated-nodes %s', (value) =>
  expect(() => parse(`--simulated-nodes=${value}`)).toThrow('It is a number of nodes.'),
);
