import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { FunctionInvoker } from '#lib/server/webhook/functions.ts';

/** Lambda's response for a function that threw or did not finish. */
interface Fault {
  readonly errorMessage?: unknown;
}

/** Calls functions of an account by name. The caller owns the client and closes it. */
export function lambdaInvoker(client: LambdaClient): FunctionInvoker {
  return {
    async invoke(name, body, { timeout }) {
      const abortSignal = AbortSignal.timeout(timeout);
      const command = new InvokeCommand({ FunctionName: name, Payload: body });
      const answer = await client.send(command, { abortSignal }).catch((error: unknown) => {
        throw abortSignal.aborted ? new Error('context deadline exceeded', { cause: error }) : error;
      });
      const payload = answer.Payload ?? new Uint8Array();
      if (answer.FunctionError !== undefined) throw new Error(messageOf(payload));
      return payload;
    },
  };
}

function messageOf(payload: Uint8Array): string {
  const text = Buffer.from(payload).toString();
  try {
    const { errorMessage } = (JSON.parse(text) ?? {}) as Fault;
    return typeof errorMessage === 'string' ? errorMessage : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
