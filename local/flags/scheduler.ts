import { type Command, Option } from 'commander';
import { defined } from '#lib/machinery/defined.ts';
import { decodeYaml, YamlError } from '#lib/machinery/yaml.ts';
import { COST_MODEL_NAMES, type CostModelName } from '#lib/poseidon/cost-models/cost-models.ts';
import { namedFile } from '../named-file.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import type { StartOptions } from '../start-options.ts';
import { truth } from './truth.ts';

/** The flags of this file. */
export interface SchedulerFlags {
  readonly scheduler: boolean;
  readonly schedulerConfig?: string;
  readonly poseidon?: CostModelName;
}

/** Adds the flags to the command. */
export function schedulerFlags(command: Command): Command {
  return command
    .option('--scheduler [bool]', 'assign pods to nodes', truth, true)
    .option('--scheduler-config <path>', 'a KubeSchedulerConfiguration: profiles and their plugins')
    .addOption(
      new Option(
        '--poseidon [model]',
        'place pods with schedulerName: poseidon together, with the minimum-cost flow of a cost model',
      )
        .choices(COST_MODEL_NAMES)
        .preset(COST_MODEL_NAMES[0]),
    );
}

/** Reads the flags. Throws StartFault if a file cannot be used. */
export async function schedulerOf({
  scheduler,
  schedulerConfig,
  poseidon,
}: SchedulerFlags): Promise<Pick<StartOptions, 'scheduler' | 'poseidon'>> {
  const other = defined({ poseidon });
  if (!scheduler) return { scheduler: false, ...other };
  if (schedulerConfig === undefined) return other;
  const text = await namedFile(schedulerConfig);
  const { ConfigurationError, schedulerConfiguration } = await import('#lib/scheduler/apis/config/configuration.ts');
  try {
    return { scheduler: schedulerConfiguration(decodeYaml(Buffer.from(text)).value), ...other };
  } catch (error) {
    if (!(error instanceof YamlError || error instanceof ConfigurationError)) throw error;
    throw new StartFault(`--scheduler-config: ${schedulerConfig}: ${messageOf(error)}`);
  }
}
