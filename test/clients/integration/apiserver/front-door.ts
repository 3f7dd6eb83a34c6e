import type { JsonObject } from '#lib/machinery/json-value.ts';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  /** Without an authorization header, the administrator's token is added; `null` sends none. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array | JsonObject;
}

export interface Answer {
  readonly status: number;
  /** Names are in lower case. The values of repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** A response that is read while the server writes it. */
export interface Stream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Disconnects, as a client does. */
  leave(): void;
}

/** One front door. The same suite runs behind each. */
export interface FrontDoor {
  send(request: Sent): Promise<Answer>;
  stream(request: Sent): Promise<Stream>;
  /** Whether this front door limits the size of bodies, which the core leaves to the adapter. */
  readonly limitsBodies: boolean;
  /** Errors that the server has reported so far. */
  readonly faults: readonly unknown[];
  close(): Promise<void>;
}

/** The request in its wire form. */
export function wire({ method = 'GET', path, headers = {}, body }: Sent, token: string) {
  const sent: Record<string, string> = { authorization: `Bearer ${token}` };
  const bytes = body === undefined ? undefined : encoded(body);
  if (bytes !== undefined) {
    sent['content-type'] = 'application/json';
    sent['content-length'] = String(bytes.length);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) delete sent[name];
    else sent[name] = value;
  }
  return { method, path, headers: sent, bytes };
}

function encoded(body: string | Uint8Array | JsonObject): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

export const text = (answer: Answer): string => Buffer.from(answer.bytes).toString();

/** The JSON object in the response. */
export function json(answer: Answer): JsonObject {
  return JSON.parse(text(answer)) as JsonObject;
}
