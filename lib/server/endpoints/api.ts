import type { User } from '#lib/server/authentication/user.ts';
import type { Upgrade } from '#lib/server/channel/upgrade.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { Latencies } from '#lib/server/request/latencies.ts';
import type { RequestAudit } from '#lib/server/request/request-audit.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';

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
