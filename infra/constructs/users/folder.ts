import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  type FunctionSettings,
  parseFunctionSettings,
  refuseUnknownFunctions,
  SETTINGS_FILE,
  type SettingsByName,
} from '#lib/client/controller/function-settings.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Declarations } from '../../bundle/bundle.ts';
import { type Context, ContextError } from '../../context.ts';
import { usersCode } from '../code.ts';
import { AggregatedApi } from './aggregated-api.ts';
import type { Platform } from './platform.ts';
import { Reconciler } from './reconciler.ts';
import type { UsersFunctionProps } from './users-function.ts';
import { Webhook } from './webhook.ts';

/** Accepts the same files as `--functions`: sources at the top level of the folder, except tests. */
const SOURCE = /\.(ts|mts|js|mjs)$/;
const OTHER = /\.(test|spec)\.\w+$|\.d\.m?ts$/;

/** The files of a folder with their declarations, and the settings of their functions. */
export interface DeclaredFolder {
  readonly settings: SettingsByName;
  readonly files: readonly (Declarations & { readonly entry: string })[];
}

/** Bundles the files of a folder. Throws ContextError, one line, if the folder does not exist or a setting is wrong. */
export function declaredIn(folder: string, context: Pick<Context, 'bundle' | 'bootstrap'>): DeclaredFolder {
  if (!existsSync(folder)) throw new ContextError(`context functions is the path of a folder; there is no ${folder}`);
  const settings = inContext(() => settingsIn(folder));
  const entries = readdirSync(folder).filter((file) => SOURCE.test(file) && !OTHER.test(file));
  const files = entries.sort().map((file) => {
    const entry = join(folder, file);
    return { entry, ...usersCode(entry, context).declared };
  });
  const names = files.flatMap(({ reconcilers, webhooks, apis }) =>
    [...reconcilers, ...webhooks, ...apis].map(({ name }) => name),
  );
  inContext(() => refuseUnknownFunctions(settings, names));
  return { settings, files };
}

/**
 * Adds every function that the files of a folder declare, with its settings. Throws ContextError, one line, if the folder does not exist or
 * a setting is wrong.
 */
export function addFolder(platform: Platform, folder: string): void {
  const { settings, files } = declaredIn(folder, platform.context);
  const propsOf = (entry: string, name: string): UsersFunctionProps => ({
    entry,
    name,
    ...propsIn(settings.get(name)),
  });
  for (const { entry, reconcilers, webhooks, apis } of files) {
    for (const { name } of reconcilers) {
      const { reconcileOnDeploy } = settings.get(name) ?? {};
      new Reconciler(platform, `Reconciler-${name}`, { ...propsOf(entry, name), ...defined({ reconcileOnDeploy }) });
    }
    for (const { name } of webhooks) new Webhook(platform, `Webhook-${name}`, propsOf(entry, name));
    for (const { name } of apis) new AggregatedApi(platform, `AggregatedApi-${name}`, propsOf(entry, name));
  }
}

function settingsIn(folder: string): SettingsByName {
  const file = join(folder, SETTINGS_FILE);
  return existsSync(file) ? parseFunctionSettings(readFileSync(file, 'utf8')) : new Map();
}

/** Rethrows errors in the settings as a ContextError. */
function inContext<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw new ContextError(`context functions: ${error.message}`, { cause: error });
    throw error;
  }
}

function propsIn(settings: FunctionSettings | undefined): Omit<UsersFunctionProps, 'entry'> {
  if (settings === undefined) return {};
  const { memory, timeout, environment, secrets, access } = settings;
  return {
    environment,
    secrets,
    access: access.map((one) => new PolicyStatement(defined(one))),
    ...defined({ memory, timeout: timeout === undefined ? undefined : Duration.seconds(timeout) }),
  };
}
