import * as z from 'zod';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { defined } from '#lib/machinery/defined.ts';
import { issuesText } from '#lib/machinery/issues.ts';
import { errorText, type FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import { type ConfiguredPlugin, IN_TREE, type Registered } from '../../framework/plugins/registry.ts';
import type { FrameworkProfile } from '../../framework/runtime/framework.ts';
import { DEFAULT_PLUGINS, mergePlugins } from './default-plugins.ts';
import {
  type ExtenderConfiguration,
  type KubeSchedulerConfiguration,
  kubeSchedulerConfiguration,
  type Profile,
} from './types.ts';
import { validateConfiguration } from './validation.ts';

/** The decoded configuration of a scheduler. */
export interface SchedulerConfiguration {
  readonly profiles: readonly FrameworkProfile[];
  readonly percentageOfNodesToScore: number;
  /** The backoff durations in milliseconds. */
  readonly backoff: { readonly initial: number; readonly max: number };
  readonly extenders: readonly ExtenderConfiguration[];
}

/** The error for an invalid configuration. Its one-line message lists all errors. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

const HEADER = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

/** Parses a KubeSchedulerConfiguration. Without a document it returns upstream's defaults. Throws ConfigurationError. */
export function schedulerConfiguration(document: unknown = HEADER): SchedulerConfiguration {
  const configuration = named(parsed(document));
  const errors = validateConfiguration(configuration);
  const ignored = ignoredResources(configuration);
  const profiles = configuration.profiles.map((profile, i) =>
    readProfile(profile, { path: FieldPath.of('profiles').index(i), errors, ignored }),
  );
  if (errors.length > 0) throw new ConfigurationError(aggregateText(errors.map(errorText)));
  return {
    profiles,
    percentageOfNodesToScore: configuration.percentageOfNodesToScore,
    backoff: {
      initial: configuration.podInitialBackoffSeconds * 1000,
      max: configuration.podMaxBackoffSeconds * 1000,
    },
    // ignorable extenders are called last, because no other call depends on their refusals
    extenders: configuration.extenders.toSorted((a, b) => Number(a.ignorable) - Number(b.ignorable)),
  };
}

function parsed(document: unknown): KubeSchedulerConfiguration {
  const read = kubeSchedulerConfiguration.safeParse(document);
  if (!read.success) throw new ConfigurationError(issuesText(read.error.issues));
  return read.data;
}

/** A single profile gets the default name if it has none. */
function named(configuration: KubeSchedulerConfiguration): KubeSchedulerConfiguration {
  const [first, ...others] = configuration.profiles;
  if (others.length > 0) return configuration;
  const profile: Profile = { pluginConfig: [], ...first };
  return { ...configuration, profiles: [{ ...profile, schedulerName: profile.schedulerName ?? 'default-scheduler' }] };
}

interface Reading {
  readonly path: FieldPath;
  /** Collects the errors of the configuration. */
  readonly errors: FieldError[];
  /** Resources that only extenders handle. */
  readonly ignored: readonly string[];
}

const ignoredResources = ({ extenders }: KubeSchedulerConfiguration): string[] =>
  extenders.flatMap(({ managedResources }) =>
    managedResources.flatMap(({ name, ignoredByScheduler }) => (ignoredByScheduler ? [name] : [])),
  );

/** Excludes resources that only extenders handle from NodeResourcesFit. */
function withIgnored(name: string, args: unknown, ignored: readonly string[]): unknown {
  if (name !== 'NodeResourcesFit' || ignored.length === 0) return args;
  const { ignoredResources: own = [], ...others } = fitArgs.parse(args ?? {});
  return { ...others, ignoredResources: [...own, ...ignored] };
}

const fitArgs = z.looseObject({ ignoredResources: z.array(z.string()).optional() });

function readProfile(profile: Profile, { path, errors, ignored }: Reading): FrameworkProfile {
  const { schedulerName = '', percentageOfNodesToScore, pluginConfig } = profile;
  const plugins = mergePlugins(DEFAULT_PLUGINS, profile.plugins ?? {});
  const configured = Array.from(IN_TREE, ([name, registered]): [string, ConfiguredPlugin] => {
    const i = pluginConfig.findIndex((one) => one.name === name);
    const at = path.child('pluginConfig').index(i).child('args');
    const args = withIgnored(name, pluginConfig[i]?.args, ignored);
    return [name, withArgs(registered, { name, args, path: at })];
  });
  errors.push(...configured.flatMap(([, plugin]) => plugin.errors));
  const made = new Map(configured.map(([name, { make }]) => [name, make]));
  return {
    schedulerName,
    plugins,
    plugged: made,
    ...defined({ percentageOfNodesToScore }),
  };
}

function withArgs(
  registered: Registered,
  { name, args, path }: { readonly name: string; readonly args: unknown; readonly path: FieldPath },
): ConfiguredPlugin {
  try {
    return registered(args, path);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new ConfigurationError(`decoding args for plugin ${name}: ${issuesText(error.issues)}`);
  }
}
