import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type FunctionSettings,
  parseFunctionSettings,
  SETTINGS_FILE,
  type SettingsByName,
} from '#lib/client/controller/function-settings.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { ifCode } from '../if-code.ts';
import { fileFault, StartFault } from '../start-fault.ts';

/** Where settings and the values of secrets come from. */
export interface SettingsPlaces {
  readonly folder: string;
  /** A file that only its owner can read. It maps the names of functions and secrets to values. */
  readonly secretsFile?: string;
  /** The environment variables of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The settings of a function that apply to its whole thread. Functions with equal ones share a thread. */
export interface ThreadSettings {
  /** MiB. Default the server's limit. */
  readonly memory: number | undefined;
  /** All environment variables of the thread. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The settings of a folder's functions, with the values of their secrets. */
export class LocalSettings {
  readonly #settings: SettingsByName;
  readonly #threads = new Map<string, ThreadSettings>();
  /** The settings of a thread for functions without settings. */
  readonly common: ThreadSettings;

  private constructor(settings: SettingsByName, places: SettingsPlaces, kept: SecretValues) {
    this.#settings = settings;
    const sources = new Set([...settings.values()].flatMap(({ secrets }) => Object.entries(secrets).map(sourceOf)));
    const inherited = Object.entries(places.environment).filter(([name]) => !sources.has(name));
    const base = Object.fromEntries(inherited.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
    this.common = { memory: undefined, environment: base };
    for (const [name, one] of settings) {
      const values = Object.fromEntries(
        Object.entries(one.secrets).map((secret) => [secret[0], valueOf(name, secret, { places, kept })]),
      );
      const environment = { ...base, ...one.environment, ...values };
      const isCommon = one.memory === undefined && Object.keys({ ...one.environment, ...values }).length === 0;
      this.#threads.set(name, isCommon ? this.common : { memory: one.memory, environment });
    }
  }

  /** Reads them. Rejects with an error of one line, which holds no value. */
  static async read(places: SettingsPlaces): Promise<LocalSettings> {
    const file = join(places.folder, SETTINGS_FILE);
    const text = await readFile(file, 'utf8').catch(ifCode('ENOENT'));
    const settings = text === undefined ? new Map<string, FunctionSettings>() : parseFunctionSettings(text);
    const { secretsFile } = places;
    const kept = secretsFile === undefined ? {} : await secretsIn(secretsFile);
    if (secretsFile !== undefined) refuseUnknownSecrets(secretsFile, kept, settings);
    return new LocalSettings(settings, places, kept);
  }

  /** The settings of functions, by their names. */
  get byName(): SettingsByName {
    return this.#settings;
  }

  threadOf(name: string): ThreadSettings {
    return this.#threads.get(name) ?? this.common;
  }

  /** The time-out in ms of a call to the function; undefined if none is set. */
  timeoutOf(name: string): number | undefined {
    const seconds = this.#settings.get(name)?.timeout;
    return seconds === undefined ? undefined : seconds * 1000;
  }
}

type Secret = readonly [name: string, reference: FunctionSettings['secrets'][string]];
type SecretValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The environment variable that holds the value in this process. */
const sourceOf = ([name, { env = name }]: Secret): string => env;

function valueOf(
  of: string,
  secret: Secret,
  { places, kept }: { readonly places: SettingsPlaces; readonly kept: SecretValues },
): string {
  const [name] = secret;
  const value = own(own(kept, of) ?? {}, name) ?? own(places.environment, sourceOf(secret));
  if (value !== undefined) return value;
  const how = `set the environment variable ${sourceOf(secret)}, or write it to the file of --function-secrets`;
  throw new StartFault(`${SETTINGS_FILE}: functions.${of}.secrets.${name}: has no value here; ${how}`);
}

/** Permissions of the group and of others. */
const FOREIGN = 0o077;
const secretValues = z.record(z.string(), z.record(z.string(), z.string()));

/** Reads the values of secrets. Errors never contain the file's text, because it is secret. */
async function secretsIn(path: string): Promise<SecretValues> {
  const fault = (why: string): StartFault => new StartFault(`cannot use ${path}: ${why}`);
  const { mode } = await stat(path).catch((error: unknown) => {
    throw fileFault(path, error);
  });
  if ((mode & FOREIGN) !== 0)
    throw fault(`other users have rights on it (mode ${(mode & 0o777).toString(8)}); run chmod 600 ${path}`);
  const read = secretValues.safeParse(await decodedOf(path));
  if (!read.success) throw fault('it is no YAML of texts by the names of functions and of their secrets');
  return read.data;
}

async function decodedOf(path: string): Promise<unknown> {
  const text = await readFile(path).catch((error: unknown) => {
    throw fileFault(path, error);
  });
  try {
    return decodeYaml(text).value;
  } catch {
    return undefined;
  }
}

function refuseUnknownSecrets(path: string, kept: SecretValues, settings: SettingsByName): void {
  for (const [of, values] of Object.entries(kept))
    for (const name of Object.keys(values))
      if (own(settings.get(of)?.secrets ?? {}, name) === undefined)
        throw new StartFault(`cannot use ${path}: ${SETTINGS_FILE} has no secret ${name} of a function ${of}`);
}

const own = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;
