import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { NodeChannels } from '#lib/server/channel/node-channels.ts';

/** A number of 48 bits that nobody can guess: of a stream, or of a ping. */
export const randomId = (): number => randomBytes(6).readUIntBE(0, 6);

/** The connections that agents hold to this process, with the features that it offers them. */
export const hostedChannels = (clock: Clock, features: readonly string[] = []): NodeChannels =>
  new NodeChannels({ clock, randomId, randomName: randomUUID, features });
