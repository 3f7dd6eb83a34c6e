import type { Logger } from '#lib/client/controller/logger.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { TableColumn } from '#lib/server/registry/printer.ts';
import type { ConnectSession } from './session.ts';

/** The context of a call: its user, namespace and abort signal. */
export interface CallContext {
  /** Empty for cluster-scoped resources, and for all namespaces. */
  readonly namespace: string;
  readonly user: User;
  readonly log: Logger;
  /** Aborts when no client waits for the response any more. */
  readonly signal: AbortSignal;
}

/** A consistent list of objects. */
export interface ObjectList<T extends KubernetesObject> {
  readonly items: readonly T[];
  /** A version that the author chooses. A watch from this version returns later changes. */
  readonly resourceVersion: string;
  /** Set if more pages follow: an opaque token for the next page, which the client returns unchanged. */
  readonly continue?: string;
  /** The number of objects after this page, if known. */
  readonly remainingItemCount?: number;
}

/** The context of a list. A storage may ignore the limit and return all objects. */
export interface ListContext extends CallContext {
  /** The maximum number of objects in a page. Absent if there is no limit. */
  readonly limit?: number;
  /** The `continue` token of the previous page. Absent for the first page. */
  readonly continue?: string;
}

/** One change, or a bookmark, which has only a version. */
export type ObjectEvent<T extends KubernetesObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

/**
 * The storage of a resource's objects, in any backend: upstream's `rest.Storage`. If a method is absent, the resource does not support its
 * verb. Every method may throw StatusError. Returned objects must have a resourceVersion, unless they cannot be updated.
 */
export interface ResourceStorage<T extends KubernetesObject = KubernetesObject> {
  /** Returns undefined if the object does not exist. */
  get?(name: string, context: CallContext): Promise<T | undefined>;
  /**
   * Returns all objects of one or all namespaces, or a page of them. The server applies selectors to the result. Throws `expired(…)` (410)
   * if `continue` is too old, and `badRequest(…)` (400) if it is invalid.
   */
  list?(context: ListContext): Promise<ObjectList<T>>;
  /** Yields changes after the version until the signal aborts. Throws `expired(…)` (410) if the version is too old. */
  watch?(resourceVersion: string, context: CallContext): AsyncIterable<ObjectEvent<T>>;
  /** Returns the stored object. Throws `alreadyExists(…)` if the name is taken. */
  create?(object: T, context: CallContext): Promise<T>;
  /** Returns the stored object. `current` is the state that the client has read. Throws `conflict(…)` if the state has changed since. */
  update?(object: T, context: CallContext & { readonly current: T }): Promise<T>;
  /** Removes the object. `current` is the state that was read before. */
  delete?(name: string, context: CallContext & { readonly current: T }): Promise<void>;
}

/** The request of a session. */
export interface ConnectContext extends CallContext {
  readonly name: string;
  readonly query: URLSearchParams;
}

/** The request of a subresource. */
export interface SubresourceRequest extends ConnectContext {
  readonly method: string;
  /** Returns the body, which has at most 3 MiB. */
  body(): Promise<Uint8Array>;
}

/** The response of a subresource: an object, or other content with its media type. An iterable is streamed. */
export type SubresourceAnswer =
  | JsonObject
  | {
      readonly contentType: string;
      readonly body: string | Uint8Array | AsyncIterable<Uint8Array | string>;
    };

/** A custom subresource. It either responds, like `logs`, or connects, like `shell`. */
export type Subresource = AnsweringSubresource | ConnectingSubresource;

interface AnsweringSubresource {
  /** Default `get`. */
  readonly verbs?: readonly ('get' | 'create' | 'update')[];
  handle(request: SubresourceRequest): Promise<SubresourceAnswer>;
  readonly connect?: never;
  readonly protocols?: never;
}

/** A subresource that switches to a WebSocket: upstream's `rest.Connecter`. It requires the get permission. */
interface ConnectingSubresource {
  /**
   * Serves a session until it returns. The first read of `messages` or the first send switches the protocol. A StatusError thrown before
   * the switch is the response to the request. An error thrown after it closes the session with 1011 and its message.
   */
  connect(session: ConnectSession, context: ConnectContext): Promise<void>;
  /** The values of Sec-WebSocket-Protocol that clients may request. Default none. */
  readonly protocols?: readonly string[];
  readonly verbs?: never;
  readonly handle?: never;
}

/** A column of `kubectl get`. */
export interface Column<T extends KubernetesObject = KubernetesObject> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** The OpenAPI format. Default none. */
  readonly format?: TableColumn['format'];
  readonly description?: string;
  /** Columns with priority 0 are always shown, others only with `-o wide`. Default 0. */
  readonly priority?: number;
  value(object: T): string | number | boolean | null;
}
