import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { admissionConfiguration } from '#lib/admission/configuration.ts';
import { selectionErrors } from '#lib/admission/plugin-names.ts';
import { isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import type { ClientConfig } from '#lib/webhook/client-config.ts';
import { listed } from './listed.ts';
import type { StartOptions } from '../start-options.ts';
import { fileFault, messageOf, StartFault } from '../start-fault.ts';
import { webhookOf } from '../webhook-kubeconfig.ts';

/** Upstream's flags of what is admitted, under their names. */
export interface AdmissionFlags {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly admissionControlConfigFile?: string;
  readonly legacyPsp?: boolean;
}

const IMAGE_POLICY = 'ImagePolicyWebhook';
const VERSIONS = ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1alpha1', 'apiserver.k8s.io/v1alpha1'];

/** Adds the flags to the command. */
export function admissionFlags(command: Command): Command {
  return command
    .option('--enable-admission-plugins <names>', 'additional admission plugins to run', listed, [])
    .option('--disable-admission-plugins <names>', 'admission plugins to switch off', listed, [])
    .option('--admission-control-config-file <path>', 'an AdmissionConfiguration: the configuration of plugins')
    .option('--legacy-psp', 'serve a list of pod security policies that names their replacement');
}

/** Reads the flags. Throws StartFault that names the problem. */
export async function admissionOf(flags: AdmissionFlags): Promise<Pick<StartOptions, 'admission' | 'legacyPsp'>> {
  const plugins = { enable: flags.enableAdmissionPlugins, disable: flags.disableAdmissionPlugins };
  const path = flags.admissionControlConfigFile;
  const documents = path === undefined ? new Map<string, JsonObject>() : await documentsIn(resolve(path));
  const { configuration, errors } = admissionConfiguration(documents, await imageBackend(documents));
  const faults = [
    ...selectionErrors(plugins),
    ...errors.map((error) => `${path}: ${error}`),
    ...unconfigured(plugins.enable, documents),
  ];
  if (faults.length > 0) throw new StartFault(faults.join('; '));
  return { admission: { plugins, configuration }, legacyPsp: flags.legacyPsp === true };
}

/** Upstream's word for the one plugin that cannot do without. */
const unconfigured = (enabled: readonly string[], documents: ReadonlyMap<string, JsonObject>): string[] =>
  enabled.includes(IMAGE_POLICY) && !documents.has(IMAGE_POLICY)
    ? [`couldn't init admission plugin "${IMAGE_POLICY}": no config specified`]
    : [];

/** Reads the backend from the kubeconfig of ImagePolicyWebhook; its path is relative to the working directory. */
async function imageBackend(documents: ReadonlyMap<string, JsonObject>): Promise<ClientConfig | undefined> {
  const path = text(objectAt(documents.get(IMAGE_POLICY), 'imagePolicy'), 'kubeConfigFile');
  if (path === '') return undefined;
  const bytes = await bytesOf(path);
  try {
    return webhookOf(bytes.toString(), dirname(path));
  } catch (error) {
    throw new StartFault(`${path}: ${messageOf(error)}`);
  }
}

/** The configuration of each plugin that the file names, in it or in a file beside it. */
async function documentsIn(path: string): Promise<Map<string, JsonObject>> {
  const file = await read(path);
  if (!VERSIONS.includes(text(file, 'apiVersion')) || text(file, 'kind') !== 'AdmissionConfiguration')
    throw new StartFault(`${path} holds no AdmissionConfiguration of ${VERSIONS[0]}`);
  const documents = new Map<string, JsonObject>();
  for (const plugin of items(file, 'plugins')) {
    const elsewhere = stringAt(plugin, 'path') ?? '';
    const own = objectAt(plugin, 'configuration');
    if (own !== undefined) documents.set(text(plugin, 'name'), own);
    else if (elsewhere !== '') documents.set(text(plugin, 'name'), await read(resolve(dirname(path), elsewhere)));
  }
  return documents;
}

async function read(path: string): Promise<JsonObject> {
  const bytes = await bytesOf(path);
  try {
    const { value } = decodeYaml(bytes);
    if (isObject(value)) return value;
  } catch (error) {
    throw new StartFault(`${path}: ${messageOf(error)}`);
  }
  throw new StartFault(`${path} holds no object`);
}

function bytesOf(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw fileFault(path, error);
  });
}
