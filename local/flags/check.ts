import { flowControlOf } from '#lib/server/options/flow-control.ts';
import type { Flags } from '../command.ts';
import { controllersOf } from './controller.ts';
import { warningsOfGates } from './feature-gate.ts';
import { nodeRangesOf } from './node-range.ts';

/** Warnings about the values of flags. Reads no file. Throws StartFault for values that prevent the server from starting. */
export function checkValues(flags: Flags): string[] {
  for (const meaning of [flowControlOf, controllersOf, nodeRangesOf]) meaning(flags);
  return warningsOfGates(flags);
}
