import {
  InvokeWithResponseStreamCommand,
  type InvokeWithResponseStreamResponseEvent,
  type LambdaClient,
} from '@aws-sdk/client-lambda';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { serviceUnavailable } from '#lib/machinery/errors.ts';
import type { ApiInvoker } from '#lib/sdk/extension-apiserver/function-api.ts';
import { encodeInvocation } from '#lib/sdk/extension-apiserver/invocation.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { readHead } from './answer-head.ts';

/**
 * Calls aggregated APIs by function name, and streams their responses. The caller owns the client and closes it. Lambda does not notify a
 * function of a disconnected caller, so the function always runs to its end. Throws StatusError (503) if the function cannot be invoked,
 * for example for lack of concurrency.
 */
export const lambdaApiInvoker =
  (client: LambdaClient): ApiInvoker =>
  async (name, request, of) => {
    const Payload = await encodeInvocation(request, of);
    const command = new InvokeWithResponseStreamCommand({ FunctionName: name, Payload });
    const signal = request.signal();
    const answer = await client.send(command, { abortSignal: signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw refused(name, error);
    });
    const { head, body } = await readHead(payloads(name, answer.EventStream ?? none()));
    const response: ApiResponse = { status: head.statusCode, headers: { ...head.headers }, body };
    return request.method === 'HEAD' ? { ...response, body: '' } : response;
  };

/** The bytes of the response. Throws if the function fails before or during the response. */
async function* payloads(
  name: string,
  events: AsyncIterable<InvokeWithResponseStreamResponseEvent>,
): AsyncGenerator<Uint8Array> {
  for await (const { PayloadChunk, InvokeComplete } of events) {
    if (PayloadChunk?.Payload !== undefined) yield PayloadChunk.Payload;
    const { ErrorCode: code, ErrorDetails: details = '' } = InvokeComplete ?? {};
    if (code !== undefined) throw new Error(`the function ${name} failed: ${code} ${details}`.trim());
  }
}

const none = async function* (): AsyncGenerator<never> {};

const refused = (name: string, error: unknown): Error =>
  serviceUnavailable(`the function ${name} cannot be invoked: ${messageOfError(error)}`, 1);
