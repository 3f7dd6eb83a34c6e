import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Upgrade } from '#lib/server/channel/upgrade.ts';
import type { Latencies } from './audit/latencies.ts';
import type { RequestAudit } from './audit/request-audit.ts';

/** The core's own view of HTTP: every adapter turns its platform's request into this and writes the response back. */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent, percent-encoding included, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as they were sent, where the platform still knows. */
  readonly uri?: string;
  /** The address of who is connected, where the platform says. */
  readonly remoteAddress?: string;
  /** Names in lower case; a repeated header is joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names and values in turn, each as it was sent, where the platform still knows. */
  readonly rawHeaders?: readonly string[];
  /** Reads the whole body. Throws StatusError (413) beyond 3 MiB. Called at most once, and only after authorization. */
  body(): Promise<Uint8Array>;
  /** In place of `body`, the same as it comes and of any size; undefined where none comes. Absent where the front door has it whole. */
  stream?(): AsyncIterable<Uint8Array> | undefined;
  /** Lets other requests through where this one has kept them waiting; undefined otherwise, and where there are no others. */
  turn?(): Promise<void> | undefined;
  /** Aborts when the client goes away or the server ends. */
  readonly signal: AbortSignal;
  /** The certificate that the client proved on this connection, where it did. */
  readonly clientCertificate?: ClientCertificate;
  /** The protocol that the client asks to switch to, as sent; absent where the front door cannot switch. */
  readonly upgrade?: string;
}

/** The answer to a request, before it is written to a transport. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  /** An iterable is a stream: each chunk is flushed at once, headers before the first. */
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** A stream that ends by itself is a large document: it may be compressed. */
  readonly ends?: true;
  /** Of a switch of protocols (101): `body` is what goes to the client, this takes what comes from it. */
  readonly upgrade?: Upgrade;
}

/** Everything that the filters learned of a request. */
export interface RequestContext {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  /** Warning headers of the answer, each once. */
  readonly warnings: Set<string>;
  /** Annotations of the request's audit event. */
  readonly annotations: Map<string, string>;
  /** Receives bodies for the audit event; absent if nothing is audited. */
  readonly audit?: RequestAudit | undefined;
  readonly auditId: string;
  /** When the request came, wall clock. */
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
  /** A Kubernetes verb for resources (`list`, `deletecollection` …), the method in lower case otherwise. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments behind the subresource (`proxy`), decoded. */
  readonly rest: readonly string[];
}
