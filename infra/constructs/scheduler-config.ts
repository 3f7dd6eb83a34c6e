import { readFileSync } from 'node:fs';
import { isObject, type Json } from '#lib/machinery/json-value.ts';
import { decodeYaml, YamlError } from '#lib/machinery/yaml.ts';
import { ConfigurationError, schedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { ContextError } from '../context.ts';

/** The parts of a KubeSchedulerConfiguration that a stack needs. */
export interface SchedulerConfig {
  /** The configuration as JSON. Undefined without a file. */
  readonly text: string | undefined;
  readonly schedulerNames: readonly string[];
}

/** Reads the file in the same way as the scheduler. Without a file, everything has upstream's default. Throws ContextError, one line. */
export function readSchedulerConfig(path: string | undefined): SchedulerConfig {
  const document = path === undefined ? undefined : documentOf(path);
  try {
    const { profiles } = schedulerConfiguration(document);
    const schedulerNames = profiles.map(({ schedulerName }) => schedulerName);
    return { text: document === undefined ? undefined : JSON.stringify(document), schedulerNames };
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new ContextError(`context schedulerConfig: ${path}: ${error.message}`);
    throw error;
  }
}

function documentOf(path: string): Json {
  try {
    const { value } = decodeYaml(readFileSync(path));
    if (isObject(value)) return value;
    throw new ContextError(`context schedulerConfig: ${path} holds no object`);
  } catch (error) {
    if (error instanceof ContextError) throw error;
    const why = error instanceof YamlError || error instanceof Error ? error.message : String(error);
    throw new ContextError(`context schedulerConfig: ${why}`);
  }
}
