import type { Clock } from '#lib/machinery/clock.ts';
import { tooManyRequests } from '#lib/machinery/errors.ts';
import type { WatchSlot, WatchSlots } from '#lib/server/flowcontrol/watch-slots.ts';
import type { ApiResponse, RequestContext } from '../api.ts';
import { UNTIL } from '../options.ts';
import { slotAsker } from './slot-asker.ts';
import { SlotTenure } from './slot-tenure.ts';

/** Limits of watches at a front door. An absent one does not limit. */
export interface WatchBounds {
  /** No watch lasts longer; it ends as if its client had asked for no more. */
  readonly maxSeconds?: number;
  /** A hop on the way cuts streams that are silent for longer: one ends cleanly before. */
  readonly idleSeconds?: number;
  /** How many there may be at once. */
  readonly slots?: WatchSlots;
}

/** Of a hop's limit, what a stream may be silent. */
const SHARE = 0.8;
/** Seconds, where nothing else bounds a slot, and those that a watch may take to end. */
const LONGEST = 3600;
const GRACE = 15;
const RETRY_AFTER = 5;

/** An answer that is a stream. */
export type StreamingResponse = ApiResponse & { readonly body: AsyncIterable<Uint8Array> };

type Open = () => Promise<StreamingResponse>;

/** The parts of a scope that bound its watch. */
export interface Bounded {
  readonly watches: WatchBounds;
  readonly clock: Clock;
  readonly context: Pick<RequestContext, 'request' | 'user'>;
}

/** Opens a watch within its bounds. Throws StatusError: 429 where too many are open. */
export async function boundedWatch(scope: Bounded, open: Open): Promise<StreamingResponse> {
  const slot = await slotOf(scope);
  try {
    return lasting(await open(), scope, slot);
  } catch (error) {
    await slot?.release();
    throw error;
  }
}

async function slotOf({ watches: { slots, maxSeconds = LONGEST }, context }: Bounded): Promise<WatchSlot | undefined> {
  if (slots === undefined || context.request.query.has(UNTIL)) return undefined; // it is over at once
  const slot = await slots.take({ ...slotAsker(context), milliseconds: (maxSeconds + GRACE) * 1000 });
  if (slot === undefined) throw tooManyRequests('too many watches are open, please try again later', RETRY_AFTER);
  return slot;
}

function lasting(response: StreamingResponse, { watches, clock }: Bounded, slot: WatchSlot | undefined) {
  const { idleSeconds } = watches;
  const spoken =
    idleSeconds === undefined ? response.body : untilSilent(response.body, clock, idleSeconds * SHARE * 1000);
  return { ...response, body: slot === undefined ? spoken : untilLost(spoken, clock, slot) };
}

/** Ends when nothing came for so many milliseconds. */
async function* untilSilent(
  body: AsyncIterable<Uint8Array>,
  clock: Clock,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const spoken = new AbortController();
      const silence = clock.sleep(milliseconds, spoken.signal).then(() => undefined);
      const next = await Promise.race([chunks.next(), silence]);
      spoken.abort();
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Ends when another watch has the slot; releases it in any case. */
async function* untilLost(body: AsyncIterable<Uint8Array>, clock: Clock, slot: WatchSlot): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const tenure = new SlotTenure(slot, clock);
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), tenure.loss()]);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    tenure.close();
    await chunks.return?.();
    await slot.release();
  }
}
