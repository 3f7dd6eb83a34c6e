import * as z from 'zod/mini';

const event = z.object({
  requestContext: z.object({ connectionId: z.string(), eventType: z.enum(['CONNECT', 'MESSAGE', 'DISCONNECT']) }),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.nullish(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
});

/** An event of a WebSocket API that the relay handles. */
export type GatewayEvent =
  | {
      readonly type: 'CONNECT';
      readonly connection: string;
      /** Header names are in lower case. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly type: 'MESSAGE'; readonly connection: string; readonly text: string }
  | { readonly type: 'DISCONNECT'; readonly connection: string };

/** Decodes the event of an invocation. Throws TypeError for any other event. */
export function gatewayEvent(asked: unknown): GatewayEvent {
  const read = event.safeParse(asked);
  if (!read.success) throw new TypeError('the event is none of a WebSocket API');
  const { requestContext, headers = {}, body, isBase64Encoded } = read.data;
  const { connectionId: connection, eventType: type } = requestContext;
  switch (type) {
    case 'CONNECT': {
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
      return { type, connection, headers: Object.fromEntries(lower) };
    }
    case 'MESSAGE': {
      const text = isBase64Encoded === true ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
      return { type, connection, text };
    }
    case 'DISCONNECT':
      return { type, connection };
  }
}
