import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type MethodDefinition, RpcError, type ServiceDefinition, type ServiceHandlers } from '#lib/machinery/rpc.ts';
import { codeNumber } from './codes.ts';
import { anyAuthority } from './shim.ts';

/** Adds a service to a server. */
export type Service = (server: Server) => void;

/** Creates a service from its definition and its handlers. */
export function service<D extends ServiceDefinition>(definition: D, handlers: ServiceHandlers<D>): Service {
  return (server) => {
    for (const [name, method] of Object.entries(definition.methods)) {
      // The definition types its methods, but not its entries.
      const answer = handlers[name] as Answer;
      server.register(
        `/${definition.fullName}/${method.name}`,
        handlerOf(method, answer),
        (message: unknown) => Buffer.from(method.responseType.encode(message).finish()),
        (bytes: Buffer) => method.requestType.decode(bytes),
        method.responseStream ? 'serverStream' : 'unary',
      );
    }
  };
}

type Answer = (request: unknown, signal: AbortSignal) => unknown;

const handlerOf = ({ responseStream, responseType }: MethodDefinition, answer: Answer): UntypedHandleCall => {
  const message = (partial: unknown): unknown => responseType.fromPartial(partial as never);
  return responseStream ? streaming(answer, message) : unary(answer, message);
};

type ToMessage = (partial: unknown) => unknown;

function unary(answer: Answer, message: ToMessage): handleUnaryCall<unknown, unknown> {
  return (call, done) => {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    const answered = async (): Promise<unknown> => message(await answer(call.request, gone.signal));
    answered().then(
      (reply) => done(null, reply),
      (error: unknown) => done(statusOf(error)),
    );
  };
}

function streaming(answer: Answer, message: ToMessage): handleServerStreamingCall<unknown, unknown> {
  return (call) => {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    const write = async (): Promise<void> => {
      for await (const partial of answer(call.request, gone.signal) as AsyncIterable<unknown>) {
        if (gone.signal.aborted) return;
        if (!call.write(message(partial))) await once(call, 'drain', { signal: gone.signal });
      }
      call.end();
    };
    write().catch((error: unknown) => {
      if (!gone.signal.aborted) call.emit('error', statusOf(error));
    });
  };
}

const statusOf = (error: unknown): { readonly code: number; readonly details: string } =>
  error instanceof RpcError
    ? { code: codeNumber(error.code), details: error.details }
    : { code: codeNumber('Unknown'), details: messageOfError(error) };

/** A socket that is being served. */
export interface SocketServer extends AsyncDisposable {
  /** Ends all calls and connections and removes the socket. */
  close(): Promise<void>;
}

/**
 * Serves on a Unix socket, for any `:authority`. Creates the socket's folder (0750) and replaces the socket of an earlier process. Rejects
 * with the system's error if it cannot listen.
 */
export async function serveSocket(path: string, services: readonly Service[]): Promise<SocketServer> {
  const grpc = new Server();
  for (const add of services) add(grpc);
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => injector.injectConnection(anyAuthority(socket)));
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  await rm(path, { force: true });
  listener.listen(path);
  await once(listener, 'listening');
  let closing: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const closed = once(listener, 'close');
    listener.close();
    grpc.forceShutdown();
    injector.destroy();
    await closed;
  };
  const close = (): Promise<void> => (closing ??= end());
  return { close, [Symbol.asyncDispose]: close };
}
