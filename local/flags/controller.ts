import type { Command } from 'commander';
import { CONTROLLER_NAMES } from '#functions/reconcilers/wiring.ts';
import { selectionErrors } from '#lib/client/controller/selection.ts';
import { millisecondsOf } from '#lib/machinery/duration.ts';
import { StartFault } from '../start-fault.ts';
import type { StartOptions } from '../start-options.ts';
import { duration } from './duration.ts';
import { listed } from './listed.ts';

/** Upstream's flags that select the controllers and set their delays. */
export interface ControllerFlags {
  readonly controllers?: readonly string[];
  readonly nodeMonitorGracePeriod: string;
}

/** Adds the flags to the command. */
export function controllerFlags(command: Command): Command {
  return command
    .option('--controllers <names>', 'controllers to run: * is all of them, -name excludes one', listed)
    .option('--node-monitor-grace-period <duration>', 'silence after which a node is lost', duration, '50s');
}

/** Reads the flags. Throws StartFault for an unknown controller. */
export function controllersOf({
  controllers = ['*'],
  nodeMonitorGracePeriod,
}: ControllerFlags): Pick<StartOptions, 'controllers' | 'nodeMonitorGracePeriod'> {
  const errors = selectionErrors(controllers, CONTROLLER_NAMES);
  if (errors.length > 0) throw new StartFault(`--controllers: ${errors.join('; ')}`);
  return { controllers, nodeMonitorGracePeriod: millisecondsOf(nodeMonitorGracePeriod) };
}
