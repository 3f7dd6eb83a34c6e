import type { Clock } from '#lib/machinery/clock.ts';
import { tooManyRequests } from '#lib/machinery/errors.ts';
import { untilAborted } from '#lib/machinery/wait/unless-aborted.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import type { WatchSlot, WatchSlots } from '#lib/server/flowcontrol/watch-slots.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from '../api.ts';
import { UNTIL } from '../options.ts';
import { slotAsker } from './slot-asker.ts';
import { SlotTenure } from './slot-tenure.ts';

/** Limits of watches at a front door. An absent field means no limit. */
export interface WatchBounds {
  /** The maximum duration of a watch in seconds. A longer one ends as if its client had set this timeout. */
  readonly maxSeconds?: number;
  /** The idle timeout in seconds of an intermediary. A silent watch ends cleanly before it. */
  readonly idleSeconds?: number;
  /** Limits the number of concurrent watches. */
  readonly slots?: WatchSlots;
}

/** The share of the idle timeout for which a stream may be silent. */
const SHARE = 0.8;
/** The duration of a slot in seconds if there is no other limit. `GRACE` is the time in seconds that a watch may take to end. */
const LONGEST = 3600;
const GRACE = 15;
const RETRY_AFTER = 5;

/** A streaming response. */
export type StreamingResponse = ApiResponse & { readonly body: AsyncIterable<Uint8Array> };

type Open = () => Promise<StreamingResponse>;

/** The parts of a scope that limit its watch. */
export interface Bounded {
  readonly watches: WatchBounds;
  readonly clock: Clock;
  readonly context: Pick<RequestContext, 'request' | 'user'>;
}

/** Opens a watch within its limits. Throws StatusError: 429 if too many are open. */
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
  if (slots === undefined || context.request.query.has(UNTIL)) return undefined; // it ends as soon as it reaches the version
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

/** Ends the stream after a time in ms without a chunk. */
async function* untilSilent(
  body: AsyncIterable<Uint8Array>,
  clock: Clock,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await atMost(milliseconds, () => chunks.next(), { clock });
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Ends the stream when another watch takes the slot. Always releases the slot. */
async function* untilLost(body: AsyncIterable<Uint8Array>, clock: Clock, slot: WatchSlot): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const tenure = new SlotTenure(slot, clock);
  try {
    for (;;) {
      const next = await untilAborted(chunks.next(), tenure.lost);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    tenure.close();
    await chunks.return?.();
    await slot.release();
  }
}
