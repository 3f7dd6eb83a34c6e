import { noSuchPath } from '#lib/machinery/errors.ts';
import type { JsonObject, typed } from '#lib/machinery/json-value.ts';
import type { NamespacedName } from '#lib/machinery/namespaced-name.ts';
import type { Client, DeleteRequest, ObjectRef } from './client.ts';
import type { RestMapper } from './rest-mapper.ts';

/** A `metav1.OwnerReference`. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The fields of `metav1.ObjectMeta` that reconcilers read. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  /** The grace period in seconds. */
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** The fields of every typed object. The type of its kind adds the others. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** Binds a kind to the type of its objects. No object has this field, so a kind constant can be spread into an object. */
declare const objects: unique symbol;

/** A kind, with the type of its objects. */
export interface Kind<T extends KubernetesObject = KubernetesObject> {
  readonly apiVersion: T['apiVersion'];
  readonly kind: T['kind'];
  readonly [objects]?: T;
}

/** An object of a built-in kind as the API server returns it: a type from `lib/api/types` that always has apiVersion and kind. */
export type BuiltIn<T extends { [typed]?: string }, V extends string, K extends string> = {
  readonly apiVersion: V;
  readonly kind: K;
  readonly metadata: ObjectMeta;
} & Omit<T, keyof KubernetesObject>;

/**
 * An object as a client may write it. For a built-in kind, every field except apiVersion and kind is optional, because the server sets
 * defaults. For any other kind, it is the object type itself, which determines the required fields.
 */
export type ApplyConfiguration<T extends KubernetesObject> = T extends { [typed]?: string }
  ? Pick<T, keyof KubernetesObject> & Partially<Omit<T, keyof KubernetesObject>>
  : T;

type Partially<T> = T extends readonly (infer E)[]
  ? readonly Partially<E>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [K in keyof T]?: Partially<T[K]> }
    : T;

/** The namespace and selectors of a typed list. */
export interface TypedListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Accepts a state that is a few seconds old, which is cheaper to read than the current one. */
  readonly cached?: boolean;
}

/**
 * The API as reconcilers use it: controller-runtime's client. Every method throws StatusError with the server's response,
 * and a 404 if the kind is not served.
 */
export interface TypedClient {
  /** The object, or undefined if it does not exist. */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    name: NamespacedName,
    options?: { cached?: boolean },
  ): Promise<T | undefined>;
  list<T extends KubernetesObject>(kind: Kind<T>, options?: TypedListOptions): Promise<T[]>;
  create<T extends KubernetesObject>(object: T | ApplyConfiguration<T>): Promise<T>;
  /** Replaces the object. With a resourceVersion, fails if the object has changed since. */
  update<T extends KubernetesObject>(object: T): Promise<T>;
  /** Applies a JSON merge patch (RFC 7386). */
  patch<T extends KubernetesObject>(kind: Kind<T>, name: NamespacedName, patch: object): Promise<T>;
  /** Applies a merge patch to only the status. With `only`, fails if the object is no longer in that state. */
  patchStatus<T extends KubernetesObject>(kind: Kind<T>, name: NamespacedName, status: object, only?: T): Promise<T>;
  /** Server-side apply as the reconciler. Takes ownership of these fields from any other manager. */
  apply<T extends KubernetesObject>(object: T | ApplyConfiguration<T>): Promise<T>;
  applyStatus<T extends KubernetesObject>(object: T | ApplyConfiguration<T>): Promise<T>;
  delete<T extends KubernetesObject>(kind: Kind<T>, name: NamespacedName, request?: DeleteRequest): Promise<void>;
}

/** The ports of a typed client. Its calls fail once the signal is aborted. */
export interface TypedClientPorts {
  readonly client: Client;
  readonly mapper: RestMapper;
  /** The field manager for applied fields. */
  readonly fieldManager: string;
  /** Once this signal aborts, the client sends no request, and every method throws its reason. */
  readonly signal: AbortSignal;
}

/** Creates a client for objects with `apiVersion` and `kind`. The mapper finds their resources. */
export function typedClient({ client, mapper, fieldManager, signal }: TypedClientPorts): TypedClient {
  const resourceOf = async ({ apiVersion, kind }: Kind): Promise<ObjectRef['resource']> => {
    signal.throwIfAborted();
    const served = await mapper.ofKind(apiVersion, kind);
    if (served === undefined) throw noSuchPath();
    signal.throwIfAborted();
    return served.resource;
  };
  const refOf = async (kind: Kind, { namespace, name }: NamespacedName): Promise<ObjectRef> => ({
    resource: await resourceOf(kind),
    namespace,
    name,
  });
  const apply = async <T extends KubernetesObject>(
    object: KubernetesObject,
    more: { subresource?: string },
  ): Promise<T> =>
    answered(
      await client.apply(await refOf(object, nameOf(object)), json(object), { fieldManager, force: true, ...more }),
    );
  return {
    get: async (kind, name, options) => {
      const found = await client.get(await refOf(kind, name), options);
      return found === undefined ? undefined : answered(found);
    },
    list: async (kind, options) => (await client.list(await resourceOf(kind), options)).map((item) => answered(item)),
    create: async (object) => answered(await client.create(await resourceOf(object), json(object))),
    update: async (object) => answered(await client.update(await refOf(object, nameOf(object)), json(object))),
    patch: async (kind, name, patch) => answered(await client.patch(await refOf(kind, name), json(patch))),
    patchStatus: async (kind, name, status, only) => {
      const metadata = only === undefined ? {} : stateOf(only);
      return answered(await client.patch(await refOf(kind, name), { metadata, status: json(status) }, 'status'));
    },
    apply: (object) => apply(object, {}),
    applyStatus: (object) => apply(object, { subresource: 'status' }),
    delete: async (kind, name, request) => client.delete(await refOf(kind, name), request),
  };
}

const stateOf = ({ metadata: { uid, resourceVersion } }: KubernetesObject): JsonObject =>
  json({ uid, resourceVersion });

const nameOf = ({ metadata: { namespace = '', name = '' } }: KubernetesObject): NamespacedName => ({ namespace, name });

/** Casts between the program's types and JSON. The server validates JSON, and the author of the types is responsible for the types. */
const json = (object: object): JsonObject => object as JsonObject;
const answered = <T extends KubernetesObject>(object: JsonObject): T => object as unknown as T;
