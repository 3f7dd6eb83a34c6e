import type { ParamRef } from '#lib/api/types/admissionregistration.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import type { MaybePromise } from '#lib/machinery/soon.ts';
import { awaitingConversions } from '#lib/server/registry/conversion-pending.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import { decodeStored, keyOf } from '#lib/server/registry/store/encode.ts';
import { keyPrefix } from '#lib/storage/keys.ts';
import type { ReadAt, StoredObject } from '#lib/storage/storage.ts';

/** A binding's parameters cannot be found, with upstream's message. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

/** The ports of Params. */
export interface ParamPorts {
  readonly cluster: string;
  /** Returns the resource of a served kind. */
  resourceOfKind(kind: GroupVersionKind): Promise<ResourceDefinition | undefined>;
}

const NONE = [undefined];
const RECENT: ReadAt = { kind: 'any', within: 1000 };
const FRESH: ReadAt = { kind: 'fresh' };

/** Finds the parameters of bindings: upstream's CollectParams, but reads by key instead of from an informer. */
export class Params {
  readonly #ports: ParamPorts;
  readonly #shown = new WeakMap<StoredObject, { readonly view: string; readonly object: JsonObject }>();

  constructor(ports: ParamPorts) {
    this.#ports = ports;
  }

  /** Returns undefined for a policy without parameters. Throws ConfigurationError. */
  resource(kind: GroupVersionKind | undefined): MaybePromise<ResourceDefinition | undefined> {
    return kind === undefined ? undefined : this.#resource(kind);
  }

  async #resource(kind: GroupVersionKind): Promise<ResourceDefinition> {
    const found = await this.#ports.resourceOfKind(kind);
    if (found !== undefined) return found;
    const shown = `${apiVersion(kind)}, Kind=${kind.kind}`;
    throw new ConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
  }

  /**
   * Returns the parameters. The policy is evaluated once for each of them. Undefined means no parameters. The objects are shared: never
   * change them. Throws ConfigurationError.
   */
  collect(
    definition: ResourceDefinition | undefined,
    ref: ParamRef | undefined,
    requestNamespace: string,
  ): MaybePromise<readonly (JsonObject | undefined)[]> {
    return definition === undefined || ref === undefined ? NONE : this.#collect(definition, ref, requestNamespace);
  }

  async #collect(
    definition: ResourceDefinition,
    ref: ParamRef,
    requestNamespace: string,
  ): Promise<readonly JsonObject[]> {
    const namespace = namespaceOf(definition, ref, requestNamespace);
    const found = await this.#find(definition, ref, namespace);
    if (found.length === 0 && ref.parameterNotFoundAction === 'Deny') {
      throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
    }
    return Promise.all(found.map((stored) => this.#show(definition, stored)));
  }

  async #find(definition: ResourceDefinition, ref: ParamRef, namespace: string): Promise<readonly StoredObject[]> {
    const { cluster } = this.#ports;
    const { storage, storedAs, namespaced } = definition;
    const { name = '', selector } = ref;
    if (name !== '') {
      const key = keyOf(definition, { cluster, namespace }, name);
      const found = (await storage.get(key, RECENT)) ?? (await storage.get(key, FRESH));
      return found === undefined ? [] : [found];
    }
    if (selector === undefined) throw new ConfigurationError('one of name or selector must be provided');
    const wanted = selectorFromObject(selector);
    const { objects } = await storage.list({
      prefix: keyPrefix({ cluster, ...storedAs }, namespaced ? namespace : undefined),
      at: RECENT,
      limit: 0,
      matches: ({ summary }) => matches(wanted, summary.labels),
    });
    return objects;
  }

  /** Returns the object in the version that the policy names. */
  async #show(definition: ResourceDefinition, stored: StoredObject): Promise<JsonObject> {
    const { scheme } = definition;
    const known = this.#shown.get(stored);
    if (known?.view === scheme.viewName) return known.object;
    const object = await awaitingConversions(() => scheme.fromHub(decodeStored(definition, stored)));
    this.#shown.set(stored, { view: scheme.viewName, object });
    return object;
  }
}

function namespaceOf({ namespaced }: ResourceDefinition, ref: ParamRef, requestNamespace: string): string {
  const given = ref.namespace ?? '';
  if (!namespaced) {
    if (given === '') return '';
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (given !== '' || requestNamespace !== '') return given || requestNamespace;
  throw new ConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}
