import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { NodeChannels } from '#lib/server/channel/node-channels.ts';

/** An unpredictable 48-bit number that identifies a stream or a ping. */
export const randomId = (): number => randomBytes(6).readUIntBE(0, 6);

/** The agents' connections to this process, and the features that it offers to agents. */
export const hostedChannels = (clock: Clock, features: readonly string[] = []): NodeChannels =>
  new NodeChannels({ clock, randomId, randomName: randomUUID, features });
