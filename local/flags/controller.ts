import type { Command } from 'commander';
import { CONTROLLER_NAMES } from '#functions/reconcilers/wiring.ts';
import { selectionErrors } from '#lib/controller/selection.ts';
import { listed } from './listed.ts';
import type { StartOptions } from '../start-options.ts';
import { StartFault } from '../start-fault.ts';

/** Upstream's flag of which controllers run. */
export interface ControllerFlags {
  readonly controllers?: readonly string[];
}

/** Adds the flag to the command. */
export function controllerFlags(command: Command): Command {
  return command.option('--controllers <names>', 'controllers to run: * is all of them, -name excludes one', listed);
}

/** Reads the flag. Throws StartFault for an unknown controller. */
export function controllersOf({ controllers = ['*'] }: ControllerFlags): Pick<StartOptions, 'controllers'> {
  const errors = selectionErrors(controllers, CONTROLLER_NAMES);
  if (errors.length > 0) throw new StartFault(`--controllers: ${errors.join('; ')}`);
  return { controllers };
}
