import type { User } from '#lib/authentication/user.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { Logger } from '#lib/controller/logger.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { TableColumn } from '#lib/registry/printer.ts';

/** The context of a call: for whom, and for how long. */
export interface CallContext {
  /** Empty for cluster-scoped resources, and for all namespaces. */
  readonly namespace: string;
  readonly user: User;
  readonly log: Logger;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Objects of one moment. */
export interface ObjectList<T extends KubernetesObject> {
  readonly items: readonly T[];
  /** The author's: a watch from it sends what changed later. */
  readonly resourceVersion: string;
  /** Of a page that is not the last: names the place where the next one begins. The client sends it back as it is. */
  readonly continue?: string;
  /** The number of objects behind this page, where it is known. */
  readonly remainingItemCount?: number;
}

/** The context of a list. A storage that ignores the limit returns all objects. */
export interface ListContext extends CallContext {
  /** The most objects of a page; absent for all. */
  readonly limit?: number;
  /** `continue` of the page before; absent for the first page. */
  readonly continue?: string;
}

/** One change. A bookmark has the version alone. */
export type ObjectEvent<T extends KubernetesObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

/**
 * Where the objects of a resource are, which may be anywhere: upstream's `rest.Storage`. A method that is absent is a verb that the resource
 * does not have. Each may throw StatusError. Objects that it returns have a resourceVersion, unless nobody may update them.
 */
export interface ResourceStorage<T extends KubernetesObject = KubernetesObject> {
  /** Undefined where there is none. */
  get?(name: string, context: CallContext): Promise<T | undefined>;
  /**
   * All of the namespace, or of all namespaces, or a page of them. Selectors are applied to what it returns. Throws `expired(…)` (410)
   * where `continue` is too old, and `badRequest(…)` (400) where it is none.
   */
  list?(context: ListContext): Promise<ObjectList<T>>;
  /** Changes after the version, until the signal aborts. Throws `expired(…)` (410) where the version is too old. */
  watch?(resourceVersion: string, context: CallContext): AsyncIterable<ObjectEvent<T>>;
  /** The object as it is kept. Throws `alreadyExists(…)` for a name that is taken. */
  create?(object: T, context: CallContext): Promise<T>;
  /** The object as it is kept. `current` is the state that the client knows: throws `conflict(…)` where there is another by now. */
  update?(object: T, context: CallContext & { readonly current: T }): Promise<T>;
  /** Removes the object. `current` is the state that was found. */
  delete?(name: string, context: CallContext & { readonly current: T }): Promise<void>;
}

/** The request of a subresource. */
export interface SubresourceRequest extends CallContext {
  readonly name: string;
  readonly method: string;
  readonly query: URLSearchParams;
  /** At most 3 MiB. */
  body(): Promise<Uint8Array>;
}

/** The answer of a subresource: an object, or anything else with its media type. An iterable streams. */
export type SubresourceAnswer =
  | JsonObject
  | {
      readonly contentType: string;
      readonly body: string | Uint8Array | AsyncIterable<Uint8Array | string>;
    };

/** A subresource of one's own, such as `logs`. `connect` marks one that switches protocols. */
export interface Subresource {
  /** Default get. */
  readonly verbs?: readonly ('get' | 'create' | 'update')[];
  handle?(request: SubresourceRequest): Promise<SubresourceAnswer>;
  readonly connect?: true;
}

/** A column of `kubectl get`. */
export interface Column<T extends KubernetesObject = KubernetesObject> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** As OpenAPI names it. Default none. */
  readonly format?: TableColumn['format'];
  readonly description?: string;
  /** 0 is always shown, more by `-o wide`. Default 0. */
  readonly priority?: number;
  value(object: T): string | number | boolean | null;
}
