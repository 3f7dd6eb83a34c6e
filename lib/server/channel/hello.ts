import * as z from 'zod/mini';
import { quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { FrameError } from './frame.ts';

/** Version of the protocol. */
export const VERSION = 1;

const name = z.string().check(z.maxLength(200));

const agentHello = z.object({
  version: z.number(),
  /** Names of features beyond the version's; unknown ones are of no account. */
  features: z.array(name).check(z.maxLength(32)),
  /** Drawn by the process at its start: what resumes is the same process. */
  session: name,
  /** The host, as far as it knows itself: a copied disk boots by itself. */
  instance: z.object({ key: name, machineId: name, bootId: name }),
});

/** First message of an agent. */
export type AgentHello = z.infer<typeof agentHello>;

const serverHello = z.object({
  version: z.number(),
  features: z.array(name).check(z.maxLength(32)),
  /** Drawn when the session began: with another one, streams of the session before are gone. */
  session: name,
  /** Verifies the grants of streams: an Ed25519 key, SPKI in base64url. */
  grantKey: name,
  /** The server's time, milliseconds since 1970. */
  time: z.number(),
});

/** Answer of the server: from now on the connection carries streams. */
export type ServerHello = z.infer<typeof serverHello>;

/** The reason with which the server closes the connection of an agent whose name another host has. */
export const nameTaken = (node: string): string => `another instance of node ${quote(node)} is connected`;

/** Throws FrameError where it is none. */
export const decodeAgentHello = (body: Json): AgentHello => decoded(agentHello, body);

/** Throws FrameError where it is none. */
export const decodeServerHello = (body: Json): ServerHello => decoded(serverHello, body);

function decoded<T>(schema: z.ZodMiniType<T>, body: Json): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new FrameError('the first message is no hello', { cause: result.error });
  return result.data;
}
