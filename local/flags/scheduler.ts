import type { Command } from 'commander';
import { decodeYaml, YamlError } from '#lib/machinery/yaml.ts';
import { namedFile } from '../named-file.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import type { StartOptions } from '../start-options.ts';
import { truth } from './truth.ts';

/** The flags of this file. */
export interface SchedulerFlags {
  readonly scheduler: boolean;
  readonly schedulerConfig?: string;
}

/** Adds the flags to the command. */
export function schedulerFlags(command: Command): Command {
  return command
    .option('--scheduler [bool]', 'assign pods to nodes', truth, true)
    .option('--scheduler-config <path>', 'a KubeSchedulerConfiguration: profiles and their plugins');
}

/** Reads the flags. Throws StartFault for an unusable file. */
export async function schedulerOf({
  scheduler,
  schedulerConfig,
}: SchedulerFlags): Promise<Pick<StartOptions, 'scheduler'>> {
  if (!scheduler) return { scheduler: false };
  if (schedulerConfig === undefined) return {};
  const text = await namedFile(schedulerConfig);
  const { ConfigurationError, schedulerConfiguration } = await import('#lib/scheduler/apis/config/configuration.ts');
  try {
    return { scheduler: schedulerConfiguration(decodeYaml(Buffer.from(text)).value) };
  } catch (error) {
    if (!(error instanceof YamlError || error instanceof ConfigurationError)) throw error;
    throw new StartFault(`--scheduler-config: ${schedulerConfig}: ${messageOf(error)}`);
  }
}
