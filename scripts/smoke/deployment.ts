import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { eventually as retried } from '#local/eventually.ts';

type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** A control plane to check. */
export interface Deployment {
  readonly client: Client;
  /** Sends a GET as the user. The response's body is complete, except for a watch. */
  get(target: string, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<ApiResponse>;
  /** Sends a GET without a token or certificate. */
  anonymously(target: string, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>;
  /** Sends a GET with a certificate for system:masters, signed by an authority that the server does not know. */
  withForeignCertificate(target: string): Promise<ApiResponse>;
}

/** The handlers of the three ways to connect. */
interface Handles {
  readonly user: Handle;
  readonly anonymous: Handle;
  readonly foreign: Handle;
}

const NEVER = new AbortController().signal;

const getBy =
  (handle: Handle): Deployment['get'] =>
  (target, headers = {}, signal = NEVER) => {
    const [path = '', query = ''] = target.split('?');
    const body = async (): Promise<Uint8Array> => new Uint8Array();
    return handle({ method: 'GET', path, query: new URLSearchParams(query), headers, body, signal: () => signal });
  };

/** The control plane that the handlers reach. */
export function deploymentOf({ user, anonymous, foreign }: Handles): Deployment {
  const client = apiClient({ handle: user, userAgent: 'davit-smoke' });
  return { client, get: getBy(user), anonymously: getBy(anonymous), withForeignCertificate: getBy(foreign) };
}

/** Time-out in ms. A front door of functions may start cold. */
const PATIENCE = 90_000;

/**
 * Polls until the result is defined. If `ask` throws, throws its error immediately. At the time-out it throws an error with the state that
 * `seen` describes.
 */
export async function eventually<T>(ask: () => Promise<T | undefined>, seen: () => string): Promise<T> {
  const poll = async (): Promise<{ readonly answer: T } | { readonly fault: unknown }> => {
    try {
      const answer = await ask();
      if (answer !== undefined) return { answer };
    } catch (fault) {
      return { fault };
    }
    throw new TypeError(`not within ${PATIENCE / 1000} s: ${seen()}`);
  };
  const last = await retried(poll, { timeout: PATIENCE });
  if ('fault' in last) throw last.fault;
  return last.answer;
}

/** The text of a body. */
export async function textOf({ body }: ApiResponse): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
