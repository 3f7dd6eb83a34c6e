import type { Command } from 'commander';
import { checkFeatureGates } from '#lib/machinery/config/feature-gates.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import { listed } from './listed.ts';

/** Upstream's flag for feature gates. */
export interface FeatureGateFlags {
  readonly featureGates: readonly string[];
}

/** Adds the flag to the command. */
export const featureGateFlags = (command: Command): Command =>
  command.option(
    '--feature-gates <texts>',
    'Name=true or Name=false; only values that change nothing are accepted',
    listed,
    [],
  );

/** Warnings about gates that have no effect. Throws StartFault for gates that would change behavior. */
export function warningsOfGates({ featureGates }: FeatureGateFlags): string[] {
  try {
    return checkFeatureGates(featureGates.join(','));
  } catch (error) {
    throw new StartFault(`--feature-gates: ${messageOf(error)}`);
  }
}
