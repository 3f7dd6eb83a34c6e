import type { Logger } from '#lib/client/controller/logger.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { TableColumn } from '#lib/server/registry/printer.ts';
import type { ConnectSession } from './session.ts';

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

/** The request of a session. */
export interface ConnectContext extends CallContext {
  readonly name: string;
  readonly query: URLSearchParams;
}

/** The request of a subresource. */
export interface SubresourceRequest extends ConnectContext {
  readonly method: string;
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

/** A subresource of one's own: one that answers, such as `logs`, or one that connects, such as `shell`. */
export type Subresource = AnsweringSubresource | ConnectingSubresource;

interface AnsweringSubresource {
  /** Default get. */
  readonly verbs?: readonly ('get' | 'create' | 'update')[];
  handle(request: SubresourceRequest): Promise<SubresourceAnswer>;
  readonly connect?: never;
  readonly protocols?: never;
}

/** Switches to a WebSocket: upstream's `rest.Connecter`. It needs the right to get. */
interface ConnectingSubresource {
  /**
   * Serves a session until it returns. The protocol is switched when it first asks for `messages` or sends one: a StatusError that it
   * throws before is the answer to the request. One that it throws later closes the session with 1011 and its message.
   */
  connect(session: ConnectSession, context: ConnectContext): Promise<void>;
  /** The values of Sec-WebSocket-Protocol that clients may ask for. Default none. */
  readonly protocols?: readonly string[];
  readonly verbs?: never;
  readonly handle?: never;
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
