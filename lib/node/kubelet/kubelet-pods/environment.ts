import type {
  ConfigMap,
  Container,
  EnvFromSource,
  EnvVarSource,
  EnvVar as EnvVarSpec,
  FileKeySelector,
  Pod,
  Secret,
  Service,
} from '#lib/api/types/core.v1.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { expand, mappingOf } from '../container/expand.ts';
import type { EnvVar } from '../container/runtime.ts';
import { serviceVariables } from '../envvars/from-services.ts';
import { type PodAddresses, podFieldValue } from '../fieldpath/pod-field.ts';
import {
  defaultLimits,
  podResourceValue,
  type ResourceList,
  withDefaultLimits,
  withDefaultPodLimits,
} from '../fieldpath/resource-field.ts';
import { isStaticPod } from '../types/pod-update.ts';
import { textOfBytes } from '../util/byte-text.ts';
import { parseEnv } from '../util/env-file.ts';
import type { MountedVolume } from '../volumemanager/volume-manager.ts';

/** The objects from which a container's environment is built. */
export interface EnvironmentPorts {
  /** Throws StatusError NotFound if it does not exist, or another Error if the server is unavailable. */
  configMap(namespace: string, name: string): Promise<ConfigMap>;
  /** Same contract as `configMap`. */
  secret(namespace: string, name: string): Promise<Secret>;
  /** The services of all namespaces, or undefined until they have been listed once. */
  services(): readonly Service[] | undefined;
  /** The node's allocatable resources. Throws if the node is unknown. */
  nodeAllocatable(): ResourceList;
  /** A file below a directory. Throws if a link leads out of the directory, or if the file is unreadable or too large for an env file. */
  readBelow(folder: string, path: string): Promise<Uint8Array>;
}

/** The addresses and volumes of a container's pod. */
export interface EnvironmentPlace extends PodAddresses {
  readonly volumes: ReadonlyMap<string, MountedVolume>;
}

/**
 * The environment of a container: variables of `envFrom`, then those of `env`, which override them, then missing ones of services
 * (upstream: makeEnvironmentVariables). Rejects with upstream's text for a missing object or key.
 */
export async function makeEnvironmentVariables(
  pod: Pod,
  container: Container,
  place: EnvironmentPlace,
  ports: EnvironmentPorts,
): Promise<EnvVar[]> {
  if (pod.spec.enableServiceLinks === undefined)
    throw new Error('nil pod.spec.enableServiceLinks encountered, cannot construct envvars');
  const services = ports.services();
  if (services === undefined && !isStaticPod(pod))
    throw new Error('services have not yet been read at least once, cannot construct envvars');
  const fromServices = serviceVariables(pod, services ?? []);
  const sources = new Sources(pod, container, place, ports);
  const variables = new Map<string, string>();
  for (const one of container.envFrom ?? [])
    for (const [name, value] of await sources.all(one)) variables.set(name, value);
  const mapping = mappingOf(variables, fromServices);
  for (const one of container.env ?? []) {
    const value = await valueOf(one, mapping, sources);
    if (value !== undefined) variables.set(one.name, value);
  }
  const more = [...fromServices].filter(([name]) => !variables.has(name));
  return [...variables, ...more].map(([name, value]) => ({ name, value }));
}

/** The value of a variable, or undefined if it is optional and missing. */
async function valueOf(
  { value = '', valueFrom }: EnvVarSpec,
  mapping: ReturnType<typeof mappingOf>,
  sources: Sources,
): Promise<string | undefined> {
  if (value !== '') return expand(value, mapping);
  return valueFrom === undefined ? '' : sources.one(valueFrom);
}

/** A reference from a variable to an object, and whether it is optional. */
interface Reference {
  readonly name?: string;
  readonly optional?: boolean;
}

/** The sources of one container's variables. Reads each object once. */
class Sources {
  readonly #pod: Pod;
  readonly #container: Container;
  readonly #place: EnvironmentPlace;
  readonly #ports: EnvironmentPorts;
  readonly #configMaps = new Map<string, ConfigMap>();
  readonly #secrets = new Map<string, Secret>();

  constructor(pod: Pod, container: Container, place: EnvironmentPlace, ports: EnvironmentPorts) {
    this.#pod = pod;
    this.#container = container;
    this.#place = place;
    this.#ports = ports;
  }

  get #namespace(): string {
    return this.#pod.metadata.namespace ?? '';
  }

  /** All variables from an object, ordered by name. */
  async all({ prefix = '', configMapRef, secretRef }: EnvFromSource): Promise<[string, string][]> {
    const texts =
      configMapRef !== undefined
        ? sortedEntries((await this.#configMap(configMapRef))?.data)
        : secretRef !== undefined
          ? secretTexts(await this.#secret(secretRef))
          : [];
    return texts.map(([key, value]) => [`${prefix}${key}`, value]);
  }

  /** The value from a source, or undefined if it is optional and missing. */
  async one(source: EnvVarSource): Promise<string | undefined> {
    const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
    if (fieldRef !== undefined) return podFieldValue(this.#pod, fieldRef, this.#place);
    if (resourceFieldRef !== undefined) {
      const most = this.#ports.nodeAllocatable();
      const own = withDefaultLimits(this.#container, defaultLimits(this.#pod, most));
      return podResourceValue(resourceFieldRef, withDefaultPodLimits(this.#pod, most), own);
    }
    if (configMapKeyRef !== undefined) {
      const data = (await this.#configMap(configMapKeyRef))?.data;
      return this.#keyOf('ConfigMap', configMapKeyRef, data === undefined ? [] : Object.entries(data));
    }
    if (secretKeyRef !== undefined)
      return this.#keyOf('Secret', secretKeyRef, secretTexts(await this.#secret(secretKeyRef)));
    return fileKeyRef === undefined ? '' : this.#fileKey(fileKeyRef);
  }

  #keyOf(
    kind: string,
    { name = '', key, optional }: Reference & { readonly key: string },
    texts: readonly [string, string][],
  ): string | undefined {
    const found = texts.find(([one]) => one === key);
    if (found === undefined && optional !== true)
      throw new Error(`couldn't find key ${key} in ${kind} ${this.#namespace}/${name}`);
    return found?.[1];
  }

  #configMap(ref: Reference): Promise<ConfigMap | undefined> {
    return readOnce(this.#configMaps, ref, (name) => this.#ports.configMap(this.#namespace, name));
  }

  #secret(ref: Reference): Promise<Secret | undefined> {
    return readOnce(this.#secrets, ref, (name) => this.#ports.secret(this.#namespace, name));
  }

  async #fileKey({ volumeName, path, key, optional }: FileKeySelector): Promise<string | undefined> {
    const volume = this.#place.volumes.get(volumeName);
    if (volume === undefined || volume.block)
      throw new Error(`cannot find the volume ${quote(volumeName)} referenced by FileKeyRef`);
    const value = await this.#valueInFile(volume.path, path, key);
    if (value !== '') return value;
    if (optional === true) return undefined;
    throw new Error(`environment variable key ${quote(key)} not found in file ${quote(`${volume.path}/${path}`)}`);
  }

  async #valueInFile(folder: string, path: string, key: string): Promise<string> {
    try {
      return parseEnv(textOfBytes(await this.#ports.readBelow(folder, path)), key);
    } catch (error) {
      // The text of the cause would reveal host files to the pod's user.
      throw new Error("couldn't parse env file", { cause: error });
    }
  }
}

const secretTexts = (secret: Secret | undefined): [string, string][] =>
  sortedEntries(secret?.data).map(([key, value]) => [key, textOfBytes(Buffer.from(value ?? '', 'base64'))]);

/** The object with this name, or undefined if it is optional and does not exist. */
async function readOnce<T>(
  known: Map<string, T>,
  { name = '', optional }: Reference,
  read: (name: string) => Promise<T>,
): Promise<T | undefined> {
  const before = known.get(name);
  if (before !== undefined) return before;
  try {
    const object = await read(name);
    known.set(name, object);
    return object;
  } catch (error) {
    if (optional === true && error instanceof StatusError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}
