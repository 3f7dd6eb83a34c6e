import { isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { type AdmissionConfiguration, admissionConfiguration } from '#lib/server/admission/configuration.ts';
import { type PluginSelection, selectionErrors } from '#lib/server/admission/plugin-names.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { type Files, OptionError, parsedAs } from './files.ts';
import { webhookIn } from './webhook-kubeconfig.ts';

/** Upstream's admission flags, with upstream's names. */
export interface AdmissionFlags {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly admissionControlConfigFile?: string;
  readonly legacyPsp?: boolean;
}

const IMAGE_POLICY = 'ImagePolicyWebhook';
const VERSIONS = ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1alpha1', 'apiserver.k8s.io/v1alpha1'];

/** The admission configuration from the flags. */
export interface ReadAdmission {
  readonly admission: { readonly plugins: PluginSelection; readonly configuration: AdmissionConfiguration };
  readonly legacyPsp: boolean;
}

/** Reads the flags. Throws OptionError that names the problem. */
export function admissionOf(flags: AdmissionFlags, files: Files): ReadAdmission {
  const plugins = { enable: flags.enableAdmissionPlugins, disable: flags.disableAdmissionPlugins };
  const path = flags.admissionControlConfigFile;
  const documents = path === undefined ? new Map<string, JsonObject>() : documentsIn(path, files);
  const { configuration, errors } = admissionConfiguration(documents, imageBackend(documents, files));
  const faults = [
    ...selectionErrors(plugins),
    ...errors.map((error) => `${path}: ${error}`),
    ...unconfigured(plugins.enable, documents),
  ];
  if (faults.length > 0) throw new OptionError(faults.join('; '));
  return { admission: { plugins, configuration }, legacyPsp: flags.legacyPsp === true };
}

/** Upstream's error if the one plugin that requires a configuration has none. */
const unconfigured = (enabled: readonly string[], documents: ReadonlyMap<string, JsonObject>): string[] =>
  enabled.includes(IMAGE_POLICY) && !documents.has(IMAGE_POLICY)
    ? [`couldn't init admission plugin "${IMAGE_POLICY}": no config specified`]
    : [];

/** Reads the backend from the kubeconfig of ImagePolicyWebhook. Its path is relative to the server's working folder. */
function imageBackend(documents: ReadonlyMap<string, JsonObject>, files: Files): ClientConfig | undefined {
  const path = text(objectAt(documents.get(IMAGE_POLICY), 'imagePolicy'), 'kubeConfigFile');
  return path === '' ? undefined : webhookIn(files, path);
}

/** The configuration of each plugin in the file, either inline or in a file relative to it. */
function documentsIn(path: string, files: Files): Map<string, JsonObject> {
  const file = read(path, files);
  if (!VERSIONS.includes(text(file, 'apiVersion')) || text(file, 'kind') !== 'AdmissionConfiguration')
    throw new OptionError(`${path} holds no AdmissionConfiguration of ${VERSIONS[0]}`);
  const documents = new Map<string, JsonObject>();
  for (const plugin of items(file, 'plugins')) {
    const elsewhere = stringAt(plugin, 'path') ?? '';
    const own = objectAt(plugin, 'configuration');
    if (own !== undefined) documents.set(text(plugin, 'name'), own);
    else if (elsewhere !== '') documents.set(text(plugin, 'name'), read(elsewhere, files.beside(path)));
  }
  return documents;
}

function read(path: string, files: Files): JsonObject {
  const { value } = parsedAs(path, Buffer.from(files.read(path)), decodeYaml);
  if (isObject(value)) return value;
  throw new OptionError(`${path} holds no object`);
}
