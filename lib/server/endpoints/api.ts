import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Upgrade } from '#lib/server/channel/upgrade.ts';
import type { Latencies } from './audit/latencies.ts';
import type { RequestAudit } from './audit/request-audit.ts';

/** A request, independent of the transport. Every adapter converts its platform's request into this and writes the response back. */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent, percent-encoding included, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as sent, if the platform preserves them. */
  readonly uri?: string;
  /** The address of the connected peer, if the platform reports it. */
  readonly remoteAddress?: string;
  /** Names in lower case; the values of a repeated header are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Alternating names and values, each as sent, if the platform preserves them. */
  readonly rawHeaders?: readonly string[];
  /** Reads the whole body. Throws StatusError (413) beyond 3 MiB. Called at most once, and only after authorization. */
  body(): Promise<Uint8Array>;
  /**
   * Streams a body of any size as it arrives, instead of `body`; undefined if the request has none. Absent if the front door buffers
   * bodies.
   */
  stream?(): AsyncIterable<Uint8Array> | undefined;
  /** Yields to other requests if this one has kept them waiting. Returns undefined if it has not, or if there are no other requests. */
  turn?(): Promise<void> | undefined;
  /** Aborts when the client disconnects or the server shuts down. */
  readonly signal: AbortSignal;
  /** The certificate that the client proved on this connection, if any. */
  readonly clientCertificate?: ClientCertificate;
  /** The protocol that the client asks to switch to, as sent; absent if the front door cannot switch. */
  readonly upgrade?: string;
}

/** The response to a request, before it is written to a transport. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  /** An iterable is a stream: each chunk is flushed at once, headers before the first. */
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** Marks a stream that ends by itself, which is a large document and may be compressed. */
  readonly ends?: true;
  /** Set on a switch of protocols (101): `body` is sent to the client, and this receives the client's bytes. */
  readonly upgrade?: Upgrade;
}

/** Everything that the filters learned about a request. */
export interface RequestContext {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  /** Warning headers of the response, without duplicates. */
  readonly warnings: Set<string>;
  /** Annotations of the request's audit event. */
  readonly annotations: Map<string, string>;
  /** Receives bodies for the audit event; absent if nothing is audited. */
  readonly audit?: RequestAudit | undefined;
  readonly auditId: string;
  /** The wall-clock time at which the request arrived. */
  readonly now: Date;
  readonly latencies?: Latencies | undefined;
  readonly mayCreate?: (() => Promise<void>) | undefined;
  readonly mayDiscard?: (() => Promise<void>) | undefined;
  /** Called by a watch when its initial events are written, and when it ends. */
  readonly watchStage?: ((stage: 'begun' | 'ended') => void) | undefined;
}

/** Upstream's `RequestInfo`: what a path and method ask for. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** A Kubernetes verb for resources (`list`, `deletecollection` …), otherwise the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments after the subresource (`proxy`), decoded. */
  readonly rest: readonly string[];
}
