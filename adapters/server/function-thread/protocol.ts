import type { Declaration } from '#lib/client/controller/declaration.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import type { Request } from '#lib/client/controller/requests.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { AggregatedApiDeclaration } from '#lib/sdk/extension-apiserver/declaration.ts';
import type { Asked } from '#lib/sdk/extension-apiserver/scope.ts';
import type { SessionMessage } from '#lib/sdk/extension-apiserver/session.ts';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';

/** The input of a worker. */
export interface WorkerInput {
  /** The URL of the file. */
  readonly file: string;
}

/** A call of a function. */
export type Call =
  | {
      readonly what: 'reconcile';
      readonly name: string;
      readonly request: Request;
      readonly object: KubernetesObject | undefined;
    }
  | { readonly what: 'webhook'; readonly name: string; readonly body: Uint8Array }
  | ({
      readonly what: 'api';
      readonly name: string;
      readonly request: WireRequest;
    } & Asked)
  | ({
      readonly what: 'connect';
      readonly name: string;
      /** The negotiated subprotocol, or '' if there is none. */
      readonly protocol: string;
      readonly query: string;
    } & Asked);

/** An API request with its complete body. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}
/** The response to a WireRequest. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: Uint8Array;
}

/** The properties of an error that are sent between threads. */
export interface WireError {
  readonly message: string;
  readonly stack: string;
  readonly status?: { readonly reason: string | undefined; readonly code: number };
}

/** A message to a worker. */
export type ToWorker =
  | { readonly type: 'call'; readonly id: number; readonly call: Call }
  /** The caller no longer waits for this call. */
  | { readonly type: 'abort'; readonly id: number }
  /** A chunk of a response or a message of a session was consumed. The next one may be sent. */
  | { readonly type: 'more'; readonly id: number }
  /** The requested message from a session's client. Undefined at the end of the messages. */
  | { readonly type: 'message'; readonly id: number; readonly message: SessionMessage | undefined }
  | { readonly type: 'response'; readonly id: number; readonly response: WireResponse };

/**
 * A request of a session's function: switches protocols, reads the client's next message, or sends a message. Each send waits until the
 * previous message was consumed.
 */
export type SessionRequest =
  | { readonly type: 'open'; readonly id: number }
  | { readonly type: 'receive'; readonly id: number }
  | { readonly type: 'send'; readonly id: number; readonly message: SessionMessage };

/** A message from a worker. */
export type FromWorker =
  | {
      readonly type: 'loaded';
      readonly reconcilers: readonly Declaration[];
      readonly webhooks: readonly WebhookDeclaration[];
      readonly apis: readonly AggregatedApiDeclaration[];
    }
  /** `as` is the reconciler that sends the request, during `call`. */
  | {
      readonly type: 'request';
      readonly id: number;
      readonly as: string;
      readonly call?: number;
      readonly request: WireRequest;
    }
  /** The thread is responsive and has aborted the signal of the call. */
  | { readonly type: 'aborting'; readonly id: number }
  /** The head of an API's response. Chunks follow, each after the previous one was consumed, and then the result. */
  | {
      readonly type: 'head';
      readonly id: number;
      readonly status: number;
      readonly headers: Record<string, string | string[]>;
    }
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array }
  | SessionRequest
  | { readonly type: 'result'; readonly id: number; readonly result: Result | Uint8Array }
  | { readonly type: 'error'; readonly id: number; readonly error: WireError }
  | {
      readonly type: 'log';
      /** The call that logged the line, if any. */
      readonly call?: number;
      readonly level: 'info' | 'error';
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };
