import type { BinaryReader } from '@bufbuild/protobuf/wire';

/** A service of a protocol definition, as generated modules describe it. */
export interface ServiceDefinition {
  readonly name: string;
  readonly fullName: string;
  readonly methods: Readonly<Record<string, MethodDefinition>>;
}

/** A method of a service: its wire name, its messages, and which sides stream. */
export interface MethodDefinition {
  readonly name: string;
  readonly requestType: MessageType<unknown>;
  readonly requestStream: boolean;
  readonly responseType: MessageType<unknown>;
  readonly responseStream: boolean;
}

/** Encodes and decodes a message. */
export interface MessageType<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(input: Uint8Array | BinaryReader): T;
  fromPartial(object: never): T;
}

type RequestOf<M> = M extends { readonly requestType: { fromPartial(object: infer R): unknown } } ? R : never;
type ResponseOf<M> = M extends { readonly responseType: { decode(input: Uint8Array): infer R } } ? R : never;

/** The limits of a call. */
export interface CallOptions {
  /** The time in ms after which the call fails with DeadlineExceeded. Default: the client's time-out. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** A client of a service with one function for each method. Omitted request fields have their zero value. Every method throws RpcError. */
export type ServiceClient<D extends ServiceDefinition> = {
  readonly [M in keyof D['methods']]: D['methods'][M] extends { readonly responseStream: true }
    ? (request: RequestOf<D['methods'][M]>, options?: CallOptions) => AsyncIterable<ResponseOf<D['methods'][M]>>
    : (request: RequestOf<D['methods'][M]>, options?: CallOptions) => Promise<ResponseOf<D['methods'][M]>>;
};

type ReplyOf<M> = M extends { readonly responseType: { fromPartial(object: infer R): unknown } } ? R : never;
type ArrivedOf<M> = M extends { readonly requestType: { decode(input: Uint8Array): infer R } } ? R : never;

/**
 * The implementation of a service with one function for each method. The signal aborts when the caller disconnects. Omitted response fields
 * have their zero value. An RpcError becomes the call's status. Any other error becomes Unknown with its message.
 */
export type ServiceHandlers<D extends ServiceDefinition> = {
  readonly [M in keyof D['methods']]: D['methods'][M] extends { readonly responseStream: true }
    ? (request: ArrivedOf<D['methods'][M]>, signal: AbortSignal) => AsyncIterable<ReplyOf<D['methods'][M]>>
    : (request: ArrivedOf<D['methods'][M]>, signal: AbortSignal) => Promise<ReplyOf<D['methods'][M]>>;
};

/** gRPC codes by Go's names. */
export type RpcCode =
  | 'OK'
  | 'Canceled'
  | 'Unknown'
  | 'InvalidArgument'
  | 'DeadlineExceeded'
  | 'NotFound'
  | 'AlreadyExists'
  | 'PermissionDenied'
  | 'ResourceExhausted'
  | 'FailedPrecondition'
  | 'Aborted'
  | 'OutOfRange'
  | 'Unimplemented'
  | 'Internal'
  | 'Unavailable'
  | 'DataLoss'
  | 'Unauthenticated';

/** A failed call. The message has the format of Go's gRPC status. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: RpcCode;
  /** The status' own message. */
  readonly details: string;

  constructor(code: RpcCode, details: string, options?: ErrorOptions) {
    super(`rpc error: code = ${code} desc = ${details}`, options);
    this.code = code;
    this.details = details;
  }
}
