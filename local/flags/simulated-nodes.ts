import { type Command, InvalidArgumentError } from 'commander';
import type { StartOptions } from '../start-options.ts';

/** The flags of this file. */
export interface SimulatedNodesFlags {
  readonly simulatedNodes: number;
}

/** Adds the flag to the command. */
export function simulatedNodesFlags(command: Command): Command {
  return command.option(
    '--simulated-nodes <number>',
    'number of nodes that report pods as running without running containers',
    number,
    0,
  );
}

function number(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It is a number of nodes.');
  return Number(text);
}

/** The start option that the flag sets. */
export const simulatedNodesOf = ({ simulatedNodes }: SimulatedNodesFlags): Pick<StartOptions, 'simulatedNodes'> => ({
  simulatedNodes,
});
